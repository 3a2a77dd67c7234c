import assert from 'node:assert/strict'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { CallLedger, readSession } from '@toolprism/node'

const path = join(process.env.TOOLPRISM_ROOT, 'samples/acp/opencode.jsonl')
const bytes = readFileSync(path)
const whole = readSession(bytes)

test('a log gives its calls, and the account of its bytes', () => {
  assert.ok(whole.calls.length > 5)
  assert.equal(whole.report.format, 'acp')
  assert.equal(whole.report.bytes, bytes.length)
  assert.ok(!('raw_input' in whole.calls[0]))
  assert.ok('raw_input' in readSession(bytes, { raw_input: true }).calls[0])
})

test('every kind of source gives the same', async () => {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  for (const now of [bytes.toString(), buffer, new DataView(buffer), new Uint8Array(buffer), shared]) {
    assert.deepEqual(readSession(now), whole)
  }
  const blob = new Blob([bytes])
  for (const later of [blob, blob.stream(), createReadStream(path)]) assert.deepEqual(await readSession(later), whole)
})

test('pieces may be cut anywhere, also inside of a character', () => {
  const ledger = new CallLedger()
  for (let at = 0; at < bytes.length; at += 7) ledger.push(bytes.subarray(at, at + 7))
  assert.deepEqual(ledger.finish().calls(), whole.calls)
  const content = [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'echo 🙂' } }]
  const line = JSON.stringify({ type: 'assistant', sessionId: 's', uuid: 'u', message: { role: 'assistant', content } })
  const halves = new CallLedger()
  for (const unit of line.split('')) halves.push(unit)
  assert.equal(halves.finish().calls()[0].input.command, 'echo 🙂')
})

test('groups and runs of what is there so far', () => {
  const ledger = new CallLedger().push(bytes)
  const count = of => of.reduce((sum, { calls }) => sum + calls, 0)
  assert.deepEqual([count(ledger.groups()), count(ledger.runs('kind'))], [ledger.size, ledger.size])
  assert.deepEqual(ledger.groups(), ledger.groups('label'))
  assert.equal(ledger.report().bytes, null)
})

test('it works in worker threads, several at once', async () => {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    import('@toolprism/node').then(({ readSession }) => parentPort.postMessage(readSession(workerData)))`
  const answers = await Promise.all([1, 2, 3].map(() => new Promise((resolve, reject) => {
    const worker = new Worker(code, { eval: true, workerData: bytes })
    worker.on('message', resolve).on('error', reject)
  })))
  for (const answer of answers) assert.deepEqual(answer, whole)
})
