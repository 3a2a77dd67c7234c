// One call found again in its log, and a log with envelopes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { CallFinder, readSession, Scan, Stamper, ToolprismError } from 'toolprism';

const log = readFileSync(join(process.env.TOOLPRISM_ROOT, 'samples/acp/opencode.jsonl'));
const text = log.toString('utf8');

test('a call is found with its arguments and places', () => {
  const scan = new Scan().begin('opencode.jsonl').push(log).finish();
  const raw = readSession(log, { raw_input: true }).calls;
  for (const [i, call] of scan.calls().entries()) {
    const finder = new CallFinder(call);
    for (let at = 0; at < log.length; at += 5000) finder.push(i % 2 ? log.subarray(at, at + 5000) : text.slice(at, at + 5000));
    const found = finder.finish();
    const { raw_input_text, ...record } = found.call;
    assert.deepEqual(record, { ...raw[i], file: 'opencode.jsonl' });
    assert.deepEqual(JSON.parse(raw_input_text), raw[i].raw_input);
    assert.deepEqual(found.places[0], { line: call.line, offset: call.offset, phase: 'started' });
    assert.ok(found.places.length >= 2 && found.places.at(-1).phase === 'finished');
    assert.deepEqual(finder.finish(), found);
    finder.free();
  }
});

test('numbers are as they were written', () => {
  const line = '{"type":"assistant","sessionId":"s","uuid":"u","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"n": 12345678901234567890.0}}]}}';
  const { call } = new CallFinder({ id: 't', session: 's', line: 1, offset: 0 }).push(line).finish();
  assert.equal(call.raw_input_text, '{"n": 12345678901234567890.0}');
  assert.equal(call.raw_input.n, 12345678901234567890);
});

test('a call that is not there, or no call at all', () => {
  const nothing = { call: null, places: [] };
  assert.deepEqual(new CallFinder({ id: 'x', session: null, agent: null, line: 1, offset: 0 }).push(log).finish(), nothing);
  assert.deepEqual(new CallFinder({ id: 'x', line: 1, offset: 0 }).finish(), nothing);
  assert.throws(() => new CallFinder(), TypeError);
  assert.throws(() => new CallFinder({ id: 5n }), TypeError);
  for (const [call, kind] of [[null, 'not_an_object'], [{}, 'missing_member'], [{ id: 'x', line: '1', offset: 0 }, 'wrong_type'], [{ id: 'x', line: 1, offset: -1 }, 'wrong_type']]) {
    assert.throws(() => new CallFinder(call), (error) => error instanceof ToolprismError && error.kind === kind);
  }
  const finder = new CallFinder({ id: 'x', line: 1, offset: 0 });
  assert.throws(() => finder.push(5), TypeError);
  finder.finish();
  assert.throws(() => finder.push(''), { kind: 'finished' });
  finder.free();
  assert.throws(() => finder.finish(), { kind: 'freed' });
});

/** All that is written of the log, in pieces of this size. */
function stamped(stamper, size, of = (bytes) => bytes) {
  const pieces = [];
  for (let at = 0; at < log.length; at += size) pieces.push(stamper.push(of(log.subarray(at, at + size))));
  const { bytes, ...done } = stamper.finish();
  assert.ok(bytes instanceof Uint8Array);
  return { text: Buffer.concat([...pieces, bytes]).toString('utf8'), done };
}

test('a log is stamped wherever it is cut', () => {
  const once = stamped(new Stamper(), log.length);
  assert.deepEqual(once.done, { format: 'acp', stamped: 60, kept: 0, untouched: 0 });
  assert.equal(once.text.split('"x.ai/tool":\t{"version":1').length, 61);
  // Nothing else has changed.
  const without = once.text.replaceAll(/"x\.ai\/tool":\t\{[^\n]*?"read_only":(true|false)(,"input":\{[^}]*\})?\},?/g, '').replaceAll(',"_meta":\t{}', '');
  assert.equal(without, text);
  for (const size of [7, 4096]) assert.deepEqual(stamped(new Stamper(), size), once);
  assert.deepEqual(stamped(new Stamper(), log.length, (bytes) => Uint8Array.from(bytes).buffer), once);
  const units = new Stamper();
  const parts = text.match(/[^]{1,999}/g).map((unit) => units.push(unit));
  assert.equal(Buffer.concat([...parts, units.finish().bytes]).toString('utf8'), once.text);
});

test('a second stamper knows what the first has seen', () => {
  const line = (update) => `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } })}\n`;
  const short = line({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Working' })
    + line({ sessionUpdate: 'tool_call_update', toolCallId: 'c', title: 'ls', kind: 'execute', rawInput: { command: 'ls' } });
  const labels = (bytes) => Buffer.from(bytes).toString('utf8').split('"label":"Run Command"').length - 1;
  const first = new Stamper();
  assert.equal(labels(first.push(short)), 1);
  const second = new Stamper(first);
  assert.equal(labels(second.push(short)), 2);
  assert.throws(() => first.push(''), { kind: 'freed' });
  assert.throws(() => new Stamper(first), { kind: 'freed' });
  for (const wrong of [5, 'text', {}, new CallFinder({ id: 'x', line: 1, offset: 0 })]) {
    assert.throws(() => new Stamper(wrong), { name: 'TypeError', message: /^a stamper/ });
  }
});

test('the end, and what is no log', () => {
  const stamper = new Stamper(null);
  assert.deepEqual(stamper.push('no log').length, 0);
  const { bytes, ...done } = stamper.finish();
  assert.equal(Buffer.from(bytes).toString('utf8'), 'no log');
  assert.deepEqual(done, { format: null, stamped: 0, kept: 0, untouched: 0 });
  assert.equal(stamper.finish().bytes.length, 0);
  assert.throws(() => stamper.push(''), { kind: 'finished' });
  assert.throws(() => new Stamper().push(5), TypeError);
  stamper.free();
  assert.throws(() => stamper.finish(), { kind: 'freed' });
  // Half a character.
  const half = new Stamper();
  half.push('a\ud83d');
  assert.equal(Buffer.from(half.finish().bytes).toString('utf8'), 'a\ufffd');
});
