import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { finalize, identify, init, initFinalizer, initLedger, PartialInput, readSession, Scan } from 'toolprism/slim';

const wasm = (name) => readFileSync(new URL(import.meta.resolve(name)));

test('too early: the error says what to do', async () => {
  assert.throws(() => identify({}), { kind: 'not_ready', message: /await init\(/ });
  assert.throws(() => readSession(''), { kind: 'not_ready', message: /await initLedger\(/ });
  assert.throws(() => new PartialInput(), { kind: 'not_ready', message: /await initLedger\(/ });
  assert.throws(() => new Scan(), { kind: 'not_ready', message: /await initLedger\(/ });
  assert.throws(() => finalize({ input: '{}' }), { kind: 'not_ready', message: /await initFinalizer\(/ });
});

test('what is no module is refused, and the right one is taken after that', async () => {
  for (const wrong of [undefined, 5, 'toolprism.wasm', {}]) await assert.rejects(init(wrong), TypeError);
  await assert.rejects(init(new Uint8Array(8)), { kind: 'bad_module' });
  await init(wasm('toolprism/wasm'));
  assert.equal(identify({ harness: 'claude_code', name: 'Bash' }).label, 'Run Command');
  await initLedger(wasm('toolprism/ledger.wasm').buffer);
  assert.equal(readSession('').calls.length, 0);
  assert.deepEqual(new PartialInput().push('[1').visible(), []);
  assert.equal(new Scan().begin('a').push('x').finish().report().files[0].bytes, 1);
  await initFinalizer(new WebAssembly.Module(wasm('toolprism/finalize.wasm')));
  assert.equal(finalize({ input: '{}' }).outcome, 'pass');
  await init(wasm('toolprism/wasm'));
  assert.equal(identify({ harness: 'claude_code', name: 'Bash' }).label, 'Run Command');
});
