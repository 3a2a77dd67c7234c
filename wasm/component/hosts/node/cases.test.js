// The cases of conformance/faces.jsonl and partial.jsonl, and what a handle must do when it is used wrongly.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { finalizing, identity, ledger, meta, partial, session } from "./tools/tools.js";

const folder = path.join(process.env.TOOLPRISM_ROOT, "conformance");
const manifest = JSON.parse(readFileSync(path.join(folder, "manifest.json"), "utf8"));
const read = (name) => readFileSync(path.join(folder, name), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const [cases, partials] = [read("faces.jsonl"), read("partial.jsonl")];
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
  assert.equal(cases.length, manifest.faces);
  assert.equal(partials.length, manifest.partial);
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

test("arguments that stream, byte by byte", () => {
  for (const { id, lenient, doc, steps, fault } of partials) {
    const input = partial.PartialInput.create(JSON.stringify({ mode: lenient ? "lenient" : "strict" }));
    const look = () => [JSON.parse(input.visible()), input.isComplete()];
    const expected = (at) => steps.findLast(([from]) => from <= at).slice(1);
    assert.deepEqual(look(), expected(0), id);
    for (const [at, byte] of bytes(doc).entries()) {
      input.push(Uint8Array.of(byte));
      assert.deepEqual(look(), expected(at + 1), `${id}, byte ${at + 1}`);
    }
    const { state, fault: found } = JSON.parse(input.state());
    assert.equal(state, fault ? "broken" : steps.at(-1)[2] ? "complete" : "open", id);
    assert.deepEqual(found && { code: found.code, offset: found.offset }, fault, id);
  }
});

test("arguments that stream are identified", () => {
  const input = partial.PartialInput.create("{}");
  input.push(bytes('{"file_path":"src/ma'));
  const call = '{"harness":"claude_code","name":"Read"}';
  assert.match(input.identify(call), /"input":\{"path":"src\/ma"\},"why":"catalog","growing":\["path"\]\}$/);
  assert.throws(() => input.identify("["), ({ payload }) => payload.kind === "not_json");
  input.finish();
  input.push(bytes('in.rs"}'));
  assert.equal(input.state(), '{"state":"incomplete","late":7}');
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
  for (const create of [ledger.CallLedger.create, finalizing.Finalizer.create, partial.PartialInput.create]) {
    assert.throws(() => create("["), ({ payload }) => payload.kind === "not_json");
    assert.throws(() => create('{"strict": 1, "profile": 1, "mode": 1}'), ({ payload }) => payload.kind === "wrong_type");
  }
});

test("text that is no UTF-16 becomes U+FFFD, and the next call works", () => {
  const answer = JSON.parse(identity.identify('{"name": "\ud800"}'));
  assert.equal(answer.name, "\ufffd");
  assert.throws(() => identity.identify("[".repeat(1_000_000)), ({ payload }) => payload.kind === "not_json");
  assert.equal(JSON.parse(identity.identify("{}")).label, "Tool");
});
