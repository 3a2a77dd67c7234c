// Many calls leave the memory as it was: 150,000 of each function here, and as many errors, a million with
// `cargo xtask test --full`, which sets TOOLPRISM_ROUNDS. Every twentieth round leaves a ledger that nobody frees.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import {
  CallFinder, CallLedger, finalize, identify, parseMeta, PartialInput, readSession, Scan, stampMeta, Stamper,
} from '@toolprism/node'

const rounds = Number(process.env.TOOLPRISM_ROUNDS ?? 150_000)
const PARTS = 5
/** No allocation takes less than 32 bytes. */
const MOST_PER_CALL = 16

const content = [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }]
const line = JSON.stringify({ type: 'assistant', sessionId: 's', uuid: 'u', message: { role: 'assistant', content } })

let options = 0

async function round(calls) {
  let thrown = 0
  for (let i = 0; i < calls; i++) {
    const call = identify({ harness: 'claude_code', name: 'Bash', raw_input: { command: `ls ${i}` } })
    parseMeta(stampMeta({ i }, call))
    finalize({ input: `{"path": "${i}",}` })
    try { identify({ name: i }) } catch { thrown++ }
    if (i % 20 === 0) {
      readSession(line)
      new CallLedger().push(line)
      new PartialInput().push(line).visible()
      const scan = new Scan().begin('f').push(line).finish()
      new CallFinder(scan.calls(scan.select({ text: 'ls' }))[0]).push(line).finish()
      new Stamper(new Stamper()).push(line)
      // Of these, only a few are kept.
      finalize({ input: '{}' }, { max_args_bytes: options++ })
    }
    // Here the engine lets go of what nobody holds.
    if (i % 1000 === 0) await turn()
  }
  assert.equal(thrown, calls)
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
  const calls = rounds / PARTS
  await round(calls)
  const grown = []
  for (let part = 0; part < PARTS; part++) {
    const before = used()
    await round(calls)
    grown.push(used() - before)
  }
  console.log(`in each ${calls} calls, memory grew by ${grown.map((bytes) => `${bytes >> 10} KiB`).join(', ')}`)
  // A leak grows with every call; what the engine takes for itself, it takes in some of the parts.
  assert.ok(Math.min(...grown) < calls * MOST_PER_CALL, String(grown))
})

test('what is freed holds nothing, also while it is referred to', () => {
  const log = readFileSync(join(process.env.TOOLPRISM_ROOT, 'samples/acp/opencode.jsonl'))
  const endless = Buffer.from(log.toString('utf8').replaceAll('\n', ' '))
  const make = {
    ledger: () => new CallLedger({ raw_input: true }).push(log),
    scan: () => new Scan({ raw_input: true }).begin('f').push(log),
    finder: () => new CallFinder({ id: 'x', line: 1, offset: 0 }).push(log.subarray(0, -1)),
    // A line without an end: nothing of it is written yet.
    stamper: () => {
      const stamper = new Stamper()
      stamper.push(endless)
      return stamper
    },
  }
  for (const [name, read] of Object.entries(make)) {
    const held = Array.from({ length: 2 }, read)
    const before = used()
    for (let i = 0; i < 1_000; i++) {
      const one = read()
      one.free()
      held.push(one)
    }
    const grown = used() - before
    assert.ok(grown < 8 * 2 ** 20, `${grown} bytes in ${held.length} of ${name}`)
  }
})
