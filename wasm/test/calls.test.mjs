import assert from 'node:assert/strict';
import test from 'node:test';
import { identify, parseMeta, parseMetaStrict, stampMeta } from 'toolprism';

const envelope = { version: 1, name: 'ls', kind: 'list', namespace: 'codex', label: 'List Files', read_only: true };

test('a call is identified, and its arguments are projected', () => {
  assert.deepEqual(
    identify({ harness: 'claude_code', name: 'Read', raw_input: { file_path: '/a', offset: 3, content: 'x' } }),
    {
      version: 1, name: 'Read', kind: 'read', namespace: 'claude_code', label: 'Read', read_only: true,
      input: { path: '/a', offset: 3 }, why: 'catalog',
    },
  );
});

test('an MCP call has its server and tool', () => {
  const { why, server, tool } = identify({ harness: 'claude_code', name: 'mcp__fs__echo' });
  assert.deepEqual({ why, server, tool }, { why: 'mcp_name', server: 'fs', tool: 'echo' });
});

test('only what is needed is looked at', () => {
  const touched = new Set();
  const watch = (object) => new Proxy(object, { get: (target, name) => (touched.add(name), target[name]) });
  const raw_input = watch({ command: 'ls', content: 'x', description: 'd', nested: watch({ deep: 1 }) });
  const { input } = identify({ harness: 'claude_code', name: 'Bash', raw_input });
  assert.deepEqual(input, { command: 'ls', description: 'd' });
  assert.ok(touched.has('command') && !touched.has('content') && !touched.has('nested') && !touched.has('deep'));
});

test('texts of every length and script come over whole', () => {
  for (const text of ['', 'a', 'é', '日本語', '🙂', 'x'.repeat(48), 'x'.repeat(49), 'é'.repeat(47), '🙂'.repeat(5000), 'y'.repeat(3_000_000)]) {
    const { input } = identify({ harness: 'claude_code', name: 'Bash', raw_input: { command: `a${text}` } });
    assert.equal(input.command, `a${text}`);
  }
});

test('an envelope is read, also out of objects with a form of their own', () => {
  assert.deepEqual(parseMeta({ other: 1, 'x.ai/tool': { ...envelope, more: [1, { a: null }] } }), { ...envelope, more: [1, { a: null }] });
  assert.deepEqual(parseMeta({ 'x.ai/tool': { toJSON: () => envelope } }), envelope);
  for (const none of [undefined, null, {}, [], 5, 'text', { 'x.ai/tool': { ...envelope, version: 'one' } }]) {
    assert.equal(parseMeta(none), null);
  }
  const foreign = { 'x.ai/tool': { ...envelope, namespace: 'mine' } };
  assert.equal(parseMeta(foreign).namespace, 'mine');
  assert.equal(parseMetaStrict(foreign), null);
});

test('stamping keeps what is there, and does not change what it was given', () => {
  const meta = { b: [1.5, '\ud800', { c: undefined }], 'x.ai/tool': 'old', a: null };
  const before = structuredClone(meta);
  const stamped = stampMeta(meta, envelope);
  assert.deepEqual(stamped, { b: [1.5, '\ud800', {}], a: null, 'x.ai/tool': envelope });
  assert.deepEqual(Object.keys(stamped), ['b', 'a', 'x.ai/tool']);
  assert.deepEqual(meta, before);
  assert.deepEqual(stampMeta(undefined, envelope), { 'x.ai/tool': envelope });
  assert.deepEqual(stampMeta(null, envelope), { 'x.ai/tool': envelope });
});
