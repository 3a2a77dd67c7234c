// A million calls leave the modules' memory as it was.
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import test from 'node:test';

const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    memories.push(this.exports.memory);
  }
};
const { CallLedger, finalize, identify, parseMeta, readSession, stampMeta } = await import('toolprism');
const used = () => memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);

const line = JSON.stringify({ type: 'assistant', sessionId: 's', uuid: 'u', message: { role: 'assistant', content: [
  { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }] } });

async function round(calls) {
  for (let i = 0; i < calls; i++) {
    const call = identify({ harness: 'claude_code', name: 'Bash', raw_input: { command: `ls ${i}` } });
    if (i % 10 === 0) {
      parseMeta(stampMeta({ i }, call));
      finalize({ input: `{"path": "${i}",}` });
      try { identify({ name: i }); } catch { /* that is what it is for */ }
    }
    if (i % 100 === 0) readSession(line);
    if (i % 1000 === 0) {
      // Nobody frees this one.
      new CallLedger().push(line);
      await turn();
    }
  }
}

test('memory does not grow', async () => {
  await round(20_000);
  const before = used();
  assert.ok(before > 0 && memories.length === 3);
  await round(1_000_000);
  const grown = used() - before;
  console.log(`the modules use ${used()} bytes, ${grown} more than before a million calls`);
  assert.ok(grown <= 1 << 20, `${grown} bytes more`);
});
