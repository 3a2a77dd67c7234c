// The cases of conformance/faces.jsonl, and what a handle must do when it is used wrongly.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { finalizing, identity, ledger, meta, session } from "./tools/tools.js";

const folder = path.join(process.env.TOOLPRISM_ROOT, "conformance");
const cases = readFileSync(path.join(folder, "faces.jsonl"), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const bytes = (text) => new TextEncoder().encode(text);
const finalizer = finalizing.Finalizer.create("{}");

function ledgerOf(log) {
  const calls = ledger.CallLedger.create("{}");
  calls.push(bytes(log));
  calls.finish();
  return calls;
}

const ops = {
  identify: (call) => identity.identify(call),
  parse_meta: (value) => meta.parse(value) ?? null,
  parse_meta_strict: (value) => meta.parseStrict(value) ?? null,
  stamp_meta: (value, envelope) => meta.stamp(value, envelope),
  read_session: (log) => session.readSession(bytes(log), "{}"),
  groups: (log, by) => ledgerOf(log).groups(by),
  runs: (log, by) => ledgerOf(log).runs(by),
  finalize: (question) => finalizer.finalize(question),
};

/** What a call gives, in the form of a case. */
function outcome(work) {
  try {
    return { answer: work() };
  } catch (error) {
    if (error.payload === undefined) throw error;
    return { error: error.payload.kind };
  }
}

test("no case is missing", () => {
  assert.equal(cases.length, JSON.parse(readFileSync(path.join(folder, "manifest.json"), "utf8")).faces);
});

for (const [op, run] of Object.entries(ops)) {
  test(op, () => {
    const own = cases.filter((one) => one.op === op);
    assert.notEqual(own.length, 0);
    for (const { input, second, answer, error } of own) {
      const expected = error === undefined ? { answer } : { error };
      assert.deepEqual(outcome(() => run(input, second)), expected, input);
    }
  });
}

test("every operation is known", () => {
  assert.deepEqual([...new Set(cases.map((one) => one.op))].sort(), Object.keys(ops).sort());
});

test("an error says where", () => {
  assert.throws(() => identity.identify('{"name": 1}'), ({ payload }) => {
    assert.equal(payload.kind, "wrong_type");
    assert.equal(payload.offset, 9n);
    assert.equal(payload.line, undefined);
    return true;
  });
});

test("a log may come in pieces", () => {
  const log = cases.find((one) => one.op === "read_session" && one.answer?.includes('"id"'));
  const pieces = ledger.CallLedger.create("{}");
  for (const byte of bytes(log.input)) pieces.push(Uint8Array.of(byte));
  pieces.finish();
  assert.equal(`{"calls":${pieces.calls()},"report":${pieces.report()}}`, log.answer);
});

test("a finished ledger takes no more, and still answers", () => {
  const calls = ledgerOf("");
  calls.finish();
  assert.throws(() => calls.push(bytes("{}")), ({ payload }) => payload.kind === "finished");
  assert.equal(calls.calls(), "[]");
});

test("wrong options are an error, and no handle", () => {
  for (const create of [ledger.CallLedger.create, finalizing.Finalizer.create]) {
    assert.throws(() => create("["), ({ payload }) => payload.kind === "not_json");
    assert.throws(() => create('{"strict": 1, "profile": 1}'), ({ payload }) => payload.kind === "wrong_type");
  }
});

test("text that is no UTF-16 becomes U+FFFD, and the next call works", () => {
  const answer = JSON.parse(identity.identify('{"name": "\ud800"}'));
  assert.equal(answer.name, "\ufffd");
  assert.throws(() => identity.identify("[".repeat(1_000_000)), ({ payload }) => payload.kind === "not_json");
  assert.equal(JSON.parse(identity.identify("{}")).label, "Tool");
});
