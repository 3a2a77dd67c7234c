// What only the WebAssembly modules do when a value is read in place: one call at a time, and their memory may move.
import assert from 'node:assert/strict';
import test from 'node:test';
import { CallLedger, identify } from 'toolprism';

const good = { harness: 'claude_code', name: 'Bash', raw_input: { command: 'ls' } };

test('a getter may not call back into the call that reads it', () => {
  assert.throws(() => identify({ get name() { return identify(good).name; } }), (error) => error.kind === 'unreadable' && error.cause.kind === 'busy');
  assert.equal(identify(good).input.command, 'ls');
});

test('memory may grow while a value is read', () => {
  const growing = { ...good, get harness() { new CallLedger().push(new Uint8Array(8 << 20).fill(97)); return 'claude_code'; } };
  assert.equal(identify(growing).input.command, 'ls');
});
