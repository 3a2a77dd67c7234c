// The conformance cases that every face runs.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as toolprism from '@toolprism/node'

const { CallLedger, ToolprismError } = toolprism

function ledger(log) {
  const ledger = new CallLedger()
  ledger.push(Buffer.from(log))
  ledger.finish()
  return ledger
}

const ops = {
  identify: input => toolprism.identify(JSON.parse(input)),
  parse_meta: input => toolprism.parseMeta(JSON.parse(input)),
  parse_meta_strict: input => toolprism.parseMetaStrict(JSON.parse(input)),
  stamp_meta: (input, second) => toolprism.stampMeta(JSON.parse(input), JSON.parse(second)),
  read_session: input => toolprism.readSession(Buffer.from(input)),
  groups: (input, second) => ledger(input).groups(second),
  runs: (input, second) => ledger(input).runs(second),
  finalize: input => toolprism.finalize(JSON.parse(input)),
}

/** Whether a text holds an integer that a JavaScript number cannot: the objects read from it are another case. */
function exceedsNumbers(json) {
  let exceeds = false
  JSON.parse(json, (_, member) => {
    exceeds ||= Number.isInteger(member) && Math.abs(member) > 2 ** 53
    return member
  })
  return exceeds
}

/** JSON with the members of objects in order of their names. */
function canonical(value) {
  return JSON.stringify(value, (_, member) => {
    if (member === null || typeof member !== 'object' || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

const conformance = join(process.env.TOOLPRISM_ROOT, 'conformance')
const cases = readFileSync(join(conformance, 'faces.jsonl'), 'utf8').trimEnd().split('\n')

test('all cases are here', () => {
  const manifest = JSON.parse(readFileSync(join(conformance, 'manifest.json'), 'utf8'))
  assert.equal(cases.length, manifest.faces)
})

for (const op of Object.keys(ops)) {
  test(`the cases of ${op}`, async () => {
    let ran = 0
    const wrong = []
    for (const [at, line] of cases.entries()) {
      const { op: its, input, second, answer, error } = JSON.parse(line)
      if (its !== op) continue
      ran += 1
      // Objects are given here, and what is no JSON cannot be one.
      if (error === 'not_json' || (op === 'identify' && exceedsNumbers(input))) continue
      let [given, expected] = [undefined, error === undefined ? canonical(JSON.parse(answer)) : error]
      try {
        given = canonical(await ops[op](input, second))
      } catch (thrown) {
        // What is no object at all is a wrong type in this language.
        if (thrown instanceof TypeError && error === 'not_an_object') continue
        if (!(thrown instanceof ToolprismError)) throw thrown
        given = thrown.kind
      }
      if (given !== expected) wrong.push({ line: at + 1, input, given, expected })
    }
    assert.deepEqual(wrong, [])
    assert.ok(ran > 0)
  })
}

test('no case is of an operation unknown here', () => {
  for (const line of cases) assert.ok(JSON.parse(line).op in ops)
})
