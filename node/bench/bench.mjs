// The addon beside plain JavaScript, in turns, so that all share the machine's moods: the best of many rounds counts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { backend, finalize, identify, parseMeta, readSession, stampMeta } from '@toolprism/node'

const call = kilobytes => ({
  harness: 'claude_code',
  name: 'Write',
  raw_input: { file_path: 'src/a.ts', content: 'x'.repeat(kilobytes * 1024) },
})
const [small, large] = [call(1), call(1024)]
const meta = stampMeta({ mine: 1 }, identify(small))
const question = { input: '{"path": "a.txt", "limit": "40",}', schema: { properties: { limit: { type: 'integer' } } } }
const sample = readFileSync(join(process.env.TOOLPRISM_ROOT, 'samples/acp/opencode.jsonl'))
const log = Buffer.concat(Array(Math.ceil(2 ** 23 / sample.length)).fill(sample))

/** What to measure, and how often in a round. */
const works = {
  'identify, 1 KB': [() => identify(small), 20_000],
  'identify, 1 MB': [() => identify(large), 20_000],
  'JSON.parse of its answer': [text => JSON.parse(text), 20_000, JSON.stringify(identify(small))],
  'JSON.stringify + parse of 1 KB': [() => JSON.parse(JSON.stringify(small)), 20_000],
  parseMeta: [() => parseMeta(meta), 20_000],
  finalize: [() => finalize(question), 5_000],
  'readSession, 8 MB of bytes': [() => readSession(log), 1],
  'decoding, splitting, JSON.parse of each line': [() => log.toString().trimEnd().split('\n').forEach(line => JSON.parse(line)), 1],
}

const best = new Map()
for (let round = 0; round < 30; round++) {
  for (const [name, [work, times, input]] of Object.entries(works)) {
    if (times === 1 && round > 5) continue
    const start = process.hrtime.bigint()
    for (let i = 0; i < times; i++) work(input)
    const took = Number(process.hrtime.bigint() - start) / 1000 / times
    best.set(name, Math.min(took, best.get(name) ?? Infinity))
  }
}

console.log(`${backend}, Node ${process.version}`)
for (const [name, took] of best) console.log(`${name.padEnd(46)} ${took.toFixed(took < 100 ? 2 : 0).padStart(9)} us`)
const ratio = (a, b) => (best.get(a) / best.get(b)).toFixed(2)
console.log(`1 MB takes ${ratio('identify, 1 MB', 'identify, 1 KB')} times as long as 1 KB`)
console.log(`a log as bytes is ${ratio('decoding, splitting, JSON.parse of each line', 'readSession, 8 MB of bytes')} times as fast as JSON.parse of its lines`)
