// The cases that every face runs: objects of the language in, and the canonical JSON of what comes out compared.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { CallLedger, finalize, identify, parseMeta, parseMetaStrict, readSession, stampMeta } from 'toolprism';

const folder = join(process.env.TOOLPRISM_ROOT, 'conformance');
const cases = readFileSync(join(folder, 'faces.jsonl'), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));

const run = {
  identify: (input) => identify(JSON.parse(input)),
  parse_meta: (input) => parseMeta(JSON.parse(input)),
  parse_meta_strict: (input) => parseMetaStrict(JSON.parse(input)),
  stamp_meta: (input, second) => stampMeta(JSON.parse(input), JSON.parse(second)),
  read_session: (input) => readSession(new TextEncoder().encode(input)),
  groups: (input, second) => new CallLedger().push(input).finish().groups(second),
  runs: (input, second) => new CallLedger().push(input).finish().runs(second),
  finalize: (input) => finalize(JSON.parse(input)),
};

/** Operations that take objects here: text that is no JSON cannot be given to them. */
const OF_OBJECTS = ['identify', 'parse_meta', 'parse_meta_strict', 'stamp_meta', 'finalize'];

/** Integers that the language's own numbers cannot hold: what is given here is then another call. */
const ROUNDED = /[:[,]\s*-?\d{16,}/;

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function canonical(value) {
  return JSON.stringify(value, (_, member) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.keys(member).sort().map((key) => [key, member[key]]));
  });
}

test('there are as many cases as the manifest says', () => {
  assert.equal(cases.length, JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).faces);
});

for (const op of Object.keys(run)) {
  test(op, () => {
    const own = cases.filter((one) => one.op === op);
    assert.ok(own.length > 0);
    let skipped = 0;
    for (const { input, second, answer, error } of own) {
      if (OF_OBJECTS.includes(op) && (!isJson(input) || error === 'not_json' || ROUNDED.test(input))) {
        skipped += 1;
        continue;
      }
      const show = `${op} ${input.slice(0, 2000)}`;
      if (error !== undefined) {
        assert.throws(() => run[op](input, second), { name: 'ToolprismError', kind: error }, show);
      } else {
        const expected = answer === null ? null : JSON.parse(answer);
        assert.equal(canonical(run[op](input, second)), canonical(expected), show);
      }
    }
    assert.ok(skipped < own.length / 2 && skipped < 20, `${skipped} skipped`);
  });
}

test('no case is of an operation that is not run', () => {
  assert.deepEqual(new Set(cases.map((one) => one.op)), new Set(Object.keys(run)));
});
