// Many calls leave the component's memory as it was: 50,000 of each function here, and as many errors, a million with
// `cargo xtask test --full`, which sets TOOLPRISM_ROUNDS. Every twentieth round makes two ledgers: one is given back, one dropped.
import assert from "node:assert/strict";
import test from "node:test";
import { setImmediate as turn } from "node:timers/promises";

const memories = [];
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...args) => {
  const instance = await instantiate(...args);
  const { memory } = (instance.instance ?? instance).exports;
  if (memory !== undefined) memories.push(memory);
  return instance;
};
const { finalizing, identity, ledger, meta, partial, session } = await import("./tools/tools.js");

const PARTS = 5;
const calls = Number(process.env.TOOLPRISM_ROUNDS ?? 50_000) / PARTS;
const finalizer = finalizing.Finalizer.create("{}");
const line = new TextEncoder().encode(JSON.stringify({ type: "assistant", sessionId: "s", uuid: "u", message: {
  role: "assistant", content: [{ type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } }] } }));

async function round() {
  let thrown = 0;
  for (let i = 0; i < calls; i++) {
    const call = identity.identify(`{"harness": "claude_code", "name": "Bash", "raw_input": {"command": "ls ${i}"}}`);
    meta.parse(meta.stamp("{}", call));
    finalizer.finalize(`{"input": "{\\"path\\": ${i},}"}`);
    try { identity.identify('{"name": 1}'); } catch { thrown++; }
    if (i % 20 === 0) {
      session.readSession(line, "{}");
      partial.PartialInput.create("{}").push(line);
      ledger.CallLedger.create("{}").push(line);
      const given = ledger.CallLedger.create("{}");
      given.push(line);
      given[Symbol.dispose ?? Symbol.for("dispose")]();
    }
    // Here the engine lets go of what nobody holds.
    if (i % 1000 === 0) await turn();
  }
  assert.equal(thrown, calls);
  gc();
  await turn();
}

test("memory does not grow", async () => {
  assert.equal(memories.length, 1);
  await round();
  const grown = [];
  for (let part = 0; part < PARTS; part++) {
    const before = memories[0].buffer.byteLength;
    await round();
    grown.push(memories[0].buffer.byteLength - before);
  }
  console.log(`in each ${calls} calls, memory grew by ${grown.join(", ")} bytes`);
  // A leak grows with every call; when the engine looks for what nobody holds is its own affair. No allocation takes less
  // than 8 bytes.
  assert.ok(Math.min(...grown) < calls * 4, String(grown));
});
