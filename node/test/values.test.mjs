// What only the addon does when a value is read in place; the rest is tested as for the package `toolprism`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identify, parseMeta } from '@toolprism/node'

const good = { harness: 'claude_code', name: 'Bash', raw_input: { command: 'ls' } }
const envelope = { version: 1, name: 'ls', kind: 'list', namespace: 'codex', label: 'List Files', read_only: true }

test('a getter may call back', () => {
  assert.equal(identify({ get name() { return identify({ ...good, name: 'Read' }).name }, harness: 'claude_code' }).kind, 'read')
})

test('a form of its own that has another has no end', () => {
  const endless = { toJSON: () => endless }
  assert.throws(() => parseMeta({ 'x.ai/tool': { ...envelope, endless } }), { kind: 'not_json' })
  assert.equal(identify(good).input.command, 'ls')
})
