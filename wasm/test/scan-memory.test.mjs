// A log of any size takes the memory of its calls, and of nothing else that is in it.
import assert from 'node:assert/strict';
import test from 'node:test';

const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    memories.push(this.exports.memory);
  }
};
const { Scan } = await import('toolprism');
const used = () => memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);

const CALLS = 50_000;
const output = 'x'.repeat(2_000);

/** A call and its result, as a session has them. */
function lines(i) {
  const common = { sessionId: '37d4f977-7cbe-4fa2-8c99-c4fcc6cbe510', timestamp: new Date(1.8e12 + i * 1000).toISOString(), version: '2.1.96', cwd: '/home/u/project' };
  const id = `toolu_01${String(i).padStart(22, 'A')}`;
  const input = i % 2
    ? { command: `cargo test -p crate_${i % 97} --all-features test_${i}`, description: 'Run the tests of a crate', content: output }
    : { file_path: `/home/u/project/src/module_${i % 5000}/file_${i % 777}.rs` };
  const use = { type: 'tool_use', id, name: i % 2 ? 'Bash' : 'Read', input };
  const result = { type: 'tool_result', tool_use_id: id, content: output };
  return [
    { ...common, type: 'assistant', uuid: `u${i}`, message: { role: 'assistant', content: [use] } },
    { ...common, type: 'user', uuid: `r${i}`, message: { role: 'user', content: [result] } },
  ].map((line) => `${JSON.stringify(line)}\n`).join('');
}

test('fifty thousand calls of one file take less than 40 MB', () => {
  const scan = new Scan().begin('long.jsonl');
  let bytes = 0;
  for (let at = 0; at < CALLS; at += 500) {
    const piece = Buffer.from(Array.from({ length: 500 }, (_, i) => lines(at + i)).join(''));
    bytes += piece.length;
    scan.push(piece);
  }
  scan.finish();
  assert.equal(scan.size, CALLS);
  assert.equal(scan.report().files[0].bytes, bytes);
  assert.ok(bytes > 150e6, `${bytes} bytes`);
  const read = used();
  console.log(`${CALLS} calls take ${(read / 1e6).toFixed(1)} MB of the module's memory`);
  assert.ok(read < 40e6, `${read} bytes`);
  // To ask for all of them takes as much as a page of them does.
  assert.equal(scan.calls().length, CALLS);
  assert.ok(scan.csv().length > CALLS * 100);
  assert.equal(scan.runs('name').length, CALLS);
  assert.equal(scan.select({ text: 'module_' }).length, CALLS / 2);
  const asked = used() - read;
  assert.ok(asked < 30e6, `${asked} bytes more`);
});
