// What a caller may do wrong: an error that says so, and the next call works.
import assert from 'node:assert/strict';
import test from 'node:test';
import { CallLedger, finalize, Finalizer, identify, parseMeta, readSession, stampMeta, ToolprismError } from 'toolprism';

const good = { harness: 'claude_code', name: 'Bash', raw_input: { command: 'ls' } };
const envelope = { version: 1, name: 'ls', kind: 'list', namespace: 'codex', label: 'List Files', read_only: true };
const circle = { a: {} };
circle.a.b = circle;
circle.a.c = circle;
const throwing = (error) => Object.defineProperty({}, 'command', { enumerable: true, get: () => { throw error; } });
const nested = (depth) => { let value = 1; for (let i = 0; i < depth; i++) value = [value]; return value; };

/** It throws an error of this kind (`TypeError`, or the kind of a `ToolprismError`), and then the good call works. */
function refuses(kind, use) {
  assert.throws(use, (error) => {
    assert.equal(error instanceof ToolprismError ? error.kind : error.name, kind, error.stack);
    assert.ok(error.message.length > 10);
    return true;
  });
  assert.equal(identify(good).input.command, 'ls');
}

test('values that are no calls', () => {
  for (const value of [undefined, 5n, Symbol('s'), () => {}]) refuses('TypeError', () => identify(value));
  for (const value of [null, 5, 'text', [], [good]]) refuses('not_an_object', () => identify(value));
  for (const name of [5, true, {}, []]) refuses('wrong_type', () => identify({ name }));
  assert.equal(identify({ name: undefined, title: null }).why, 'nothing');
});

test('what JSON does not have', () => {
  refuses('TypeError', () => identify({ ...good, name: 5n }));
  refuses('TypeError', () => identify({ harness: 'claude_code', name: 'Read', raw_input: { file_path: 'a', offset: 5n } }));
  refuses('TypeError', () => parseMeta({ 'x.ai/tool': { ...envelope, version: 1n } }));
  refuses('TypeError', () => finalize({ input: 1n }));
  refuses('TypeError', () => stampMeta({ a: 1n }, envelope));
  // Nobody looks there.
  assert.deepEqual(identify({ ...good, raw_input: { command: 'ls', content: 5n } }).input, { command: 'ls' });
  for (const offset of [NaN, Infinity, -Infinity, undefined, Symbol('s'), () => {}, -0, 1e300, -1, 2 ** 63, 1.5]) {
    const { input } = identify({ harness: 'claude_code', name: 'Read', raw_input: { file_path: 'a', offset } });
    assert.equal(input.path, 'a');
    assert.ok(input.offset === undefined || Number.isSafeInteger(input.offset) && input.offset > 0, String(offset));
  }
  const { input } = identify({ ...good, raw_input: { command: 'a\ud800b' } });
  assert.equal(input.command, 'a\ufffdb');
});

test('circles, and nesting without end', () => {
  refuses('not_json', () => parseMeta({ 'x.ai/tool': { ...envelope, circle } }));
  refuses('not_json', () => identify({ ...good, meta: { 'x.ai/tool': { ...envelope, circle } } }));
  refuses('not_json', () => parseMeta({ 'x.ai/tool': { ...envelope, deep: nested(600) } }));
  refuses('TypeError', () => stampMeta({ circle }, envelope));
  refuses('not_json', () => stampMeta({ deep: nested(100_000) }, envelope));
  refuses('TypeError', () => finalize({ input: '{}', schema: circle }));
  refuses('not_json', () => finalize({ input: '{}', schema: nested(100_000) }));
  refuses('TypeError', () => new CallLedger(circle));
  assert.deepEqual(identify({ ...good, raw_input: { command: 'ls', circle } }).input, { command: 'ls' });
  assert.equal(JSON.stringify(parseMeta({ 'x.ai/tool': { ...envelope, deep: nested(400) } }).deep), JSON.stringify(nested(400)));
  refuses('too_large', () => parseMeta({ 'x.ai/tool': { ...envelope, long: Array(1_100_000).fill(0) } }));
});

test('getters and proxies that throw or call back', () => {
  const error = new Error('mine');
  for (const thrown of [error, 'a text', null, undefined]) {
    refuses('unreadable', () => identify({ ...good, raw_input: throwing(thrown) }));
    assert.throws(() => identify({ ...good, raw_input: throwing(thrown) }), ({ cause }) => cause === thrown);
  }
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  refuses('unreadable', () => identify({ ...good, raw_input: proxy }));
  refuses('unreadable', () => identify(proxy));
  refuses('unreadable', () => parseMeta(proxy));
  refuses('unreadable', () => finalize({ toJSON: () => { throw error; } }));
  refuses('unreadable', () => parseMeta({ 'x.ai/tool': { toJSON: () => { throw error; } } }));
  refuses('unreadable', () => parseMeta({ 'x.ai/tool': { ...envelope, more: { toJSON: () => { throw error; } } } }));
});

test('objects with a form of their own', () => {
  const more = { toJSON: () => ({ toJSON: 5, n: 1 }) };
  assert.deepEqual(parseMeta({ 'x.ai/tool': { toJSON: () => ({ ...envelope, more }) } }).more, { toJSON: 5, n: 1 });
  assert.deepEqual(identify({ ...good, raw_input: { toJSON: () => ({ command: 'pwd' }) } }).input, { command: 'pwd' });
});

test('envelopes and metas of wrong forms', () => {
  for (const value of [undefined, 5n]) refuses('TypeError', () => stampMeta({}, value));
  for (const value of [null, 5, 'text', [], {}]) refuses('bad_envelope', () => stampMeta({}, value));
  for (const value of [5, 'text', []]) refuses('bad_meta', () => stampMeta(value, envelope));
  for (const value of [undefined, null, 5, 'text', [], {}, { 'x.ai/tool': 5 }]) assert.equal(parseMeta(value), null);
});

test('logs of wrong forms', async () => {
  const detached = new Uint8Array(8);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  for (const log of [undefined, null, 5, 5n, {}, [], detached, detached.buffer]) {
    refuses('TypeError', () => readSession(log));
    refuses('TypeError', () => new CallLedger().push(log));
  }
  refuses('wrong_type', () => new CallLedger({ strict: 'yes' }));
  refuses('not_an_object', () => new CallLedger([]));
  refuses('finished', () => new CallLedger().finish().push(''));
  refuses('unknown_value', () => new CallLedger().groups('colour'));
  for (const by of [null, 5, {}]) refuses('TypeError', () => new CallLedger().runs(by));
  await assert.rejects(readSession(new Blob(['x']), { strict: 5 }), { kind: 'wrong_type' });
  await assert.rejects(readSession(new Blob(['x']).stream().pipeThrough(new TransformStream({ transform: () => { throw new Error('mine'); } }))), /mine/);
  for (const kept of [new CallLedger(), new Finalizer()]) {
    kept.free();
    kept.free();
    refuses('freed', () => (kept.size, kept.finalize({ input: '{}' })));
  }
  assert.equal(readSession('').calls.length, 0);
  assert.equal(readSession('\ud800').report.bytes, 3);
});

test('questions of wrong forms', () => {
  for (const question of [undefined, () => {}]) refuses('TypeError', () => finalize(question));
  for (const question of [null, 5, 'text', []]) refuses('not_an_object', () => finalize(question));
  refuses('missing_member', () => finalize({}));
  refuses('wrong_type', () => finalize({ input: 5 }));
  refuses('wrong_type', () => new Finalizer({ profile: 'other' }));
  refuses('TypeError', () => new Finalizer(() => {}));
});

test('an error of the module has its place', () => {
  assert.throws(() => finalize({ input: 5 }), (error) => error.offset === 9 && !('line' in error) && String(error).startsWith('ToolprismError: '));
});
