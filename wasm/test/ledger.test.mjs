import assert from 'node:assert/strict';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { CallLedger, readSession } from 'toolprism';

const path = join(process.env.TOOLPRISM_ROOT, 'samples/acp/opencode.jsonl');
const bytes = readFileSync(path);
const whole = readSession(bytes);

test('a log gives its calls, and the account of its bytes', () => {
  assert.ok(whole.calls.length > 5);
  assert.equal(whole.report.format, 'acp');
  assert.equal(whole.report.bytes, bytes.length);
  assert.equal(whole.calls[0].format, 'acp');
  assert.ok(!('raw_input' in whole.calls[0]));
  assert.ok('raw_input' in readSession(bytes, { raw_input: true }).calls[0]);
});

test('every kind of source gives the same', async () => {
  const text = bytes.toString('utf8');
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  for (const now of [text, buffer, new DataView(buffer), new Uint8Array(buffer)]) assert.deepEqual(readSession(now), whole);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  for (const log of [shared, shared.buffer]) assert.deepEqual(readSession(log), whole);
  const blob = new Blob([bytes]);
  for (const later of [blob, new File([bytes], 'a.jsonl'), blob.stream(), createReadStream(path)]) {
    assert.deepEqual(await readSession(later), whole);
  }
});

test('pieces may be cut anywhere, also inside of a character', () => {
  for (const size of [1, 7, 4096]) {
    const ledger = new CallLedger();
    for (let at = 0; at < bytes.length; at += size) ledger.push(bytes.subarray(at, at + size));
    assert.deepEqual(ledger.finish().calls(), whole.calls);
  }
  const line = JSON.stringify({ type: 'assistant', sessionId: 's', uuid: 'u', message: { role: 'assistant', content: [
    { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'echo 🙂' } }] } });
  const ledger = new CallLedger();
  for (const unit of line.split('')) ledger.push(unit);
  assert.equal(ledger.finish().calls()[0].input.command, 'echo 🙂');
});

test('groups and runs of what is there so far', () => {
  const ledger = new CallLedger().push(bytes);
  const groups = ledger.groups();
  assert.equal(groups.reduce((sum, group) => sum + group.calls, 0), ledger.size);
  assert.deepEqual(groups, ledger.groups('label'));
  assert.equal(ledger.runs().reduce((sum, run) => sum + run.calls, 0), ledger.size);
  assert.equal(ledger.report().bytes, null);
});

test('a log longer than a piece, with damage in it', () => {
  const many = Buffer.concat([...Array(Math.ceil(3e6 / bytes.length)).fill(bytes), Buffer.from('{"broken\n')]);
  const { report } = readSession(many);
  assert.equal(report.bytes, many.length);
  assert.ok(report.quarantined_bytes >= 8);
});

test('what fails in a stream fails the reading, and the stream is let go', async () => {
  const failing = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
  await assert.rejects(readSession(failing), /gone/);
  let cancelled = false;
  const numbers = new ReadableStream({ pull: (controller) => controller.enqueue(5), cancel: () => void (cancelled = true) });
  await assert.rejects(readSession(numbers), TypeError);
  assert.ok(cancelled && !numbers.locked);
});
