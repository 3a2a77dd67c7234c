// A million calls leave the modules' memory as it was, and JavaScript's. A tenth of them throws, and every hundredth leaves
// a ledger that nobody frees.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

const PARTS = 5;
const CALLS = 200_000;

const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    memories.push(this.exports.memory);
  }
};
const { CallFinder, CallLedger, finalize, identify, parseMeta, PartialInput, readSession, Scan, stampMeta, Stamper } = await import('toolprism');

function used() {
  gc();
  return { modules: memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0), heap: process.memoryUsage().heapUsed };
}

const line = JSON.stringify({ type: 'assistant', sessionId: 's', uuid: 'u', message: { role: 'assistant', content: [
  { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }] } });

let options = 0;

async function round(calls) {
  let thrown = 0;
  for (let i = 0; i < calls; i++) {
    const call = identify({ harness: 'claude_code', name: 'Bash', raw_input: { command: `ls ${i}` } });
    if (i % 10 === 0) {
      parseMeta(stampMeta({ i }, call));
      finalize({ input: `{"path": "${i}",}` });
      try { identify({ name: i }); } catch { thrown++; }
    }
    if (i % 100 === 0) {
      readSession(line);
      new CallLedger().push(line);
      new PartialInput().push(line).visible();
      const scan = new Scan().begin('f').push(line).finish();
      const finder = new CallFinder(scan.calls(scan.select({ text: 'ls' }))[0]);
      finder.push(line).finish();
      const stamper = new Stamper(new Stamper());
      stamper.push(line);
      for (const freed of [scan, finder, stamper]) freed.free();
      // Of these, only a few are kept.
      finalize({ input: '{}' }, { max_args_bytes: options++ });
    }
    // Here the engine lets go of what nobody holds.
    if (i % 1000 === 0) await turn();
  }
  assert.equal(thrown, Math.ceil(calls / 10));
}

test('memory does not grow', async () => {
  await round(CALLS);
  assert.equal(memories.length, 3);
  const grown = [];
  for (let part = 0; part < PARTS; part++) {
    const before = used();
    await round(CALLS);
    const after = used();
    grown.push({ modules: after.modules - before.modules, heap: after.heap - before.heap });
  }
  // A leak grows with every call: at least 8 bytes in each that throws. When the engine looks for what nobody holds is its
  // own affair, so the memory may be larger after some of the parts.
  const least = (what) => Math.min(...grown.map((part) => part[what]));
  console.log(`in each ${CALLS} calls, the modules' memory grew by ${grown.map(({ modules }) => modules).join(', ')} bytes`);
  assert.ok(least('modules') < CALLS / 10 * 4 && least('heap') < CALLS / 10 * 4, JSON.stringify(grown));
});
