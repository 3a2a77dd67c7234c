// The addon in threads.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { readSession } from '@toolprism/node'

const bytes = readFileSync(join(process.env.TOOLPRISM_ROOT, 'samples/acp/opencode.jsonl'))
const whole = readSession(bytes)

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
