// Many calls leave the memory as it was. `TOOLPRISM_ROUNDS` sets how many; the benchmark makes a million.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { CallLedger, finalize, identify, parseMeta, readSession, stampMeta } from '@toolprism/node'

const rounds = Number(process.env.TOOLPRISM_ROUNDS ?? 100_000)
const content = [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }]
const line = JSON.stringify({ type: 'assistant', sessionId: 's', uuid: 'u', message: { role: 'assistant', content } })

async function round(calls) {
  for (let i = 0; i < calls; i++) {
    const call = identify({ harness: 'claude_code', name: 'Bash', raw_input: { command: `ls ${i}` } })
    if (i % 10 === 0) {
      parseMeta(stampMeta({ i }, call))
      finalize({ input: `{"path": "${i}",}` })
      assert.throws(() => identify({ name: i }))
    }
    if (i % 100 === 0) readSession(line)
    if (i % 1000 === 0) {
      // Nobody frees this one.
      new CallLedger().push(line)
      await turn()
    }
  }
  gc()
  await turn()
  gc()
}

/** Memory in use: what the engine keeps free for itself comes and goes. */
function used() {
  const { rss, heapTotal, heapUsed } = process.memoryUsage()
  return rss - heapTotal + heapUsed
}

test('memory does not grow', async () => {
  await round(rounds)
  const before = used()
  await round(rounds)
  const grown = used() - before
  console.log(`${rounds} calls: ${(grown / 2 ** 20).toFixed(1)} MiB more than after as many before`)
  assert.ok(grown < 8 * 2 ** 20, `${grown} bytes more`)
})
