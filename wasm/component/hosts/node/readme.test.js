// The README's JavaScript says what its comments say it does.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";

test("the start in the README", async () => {
  const readme = readFileSync(path.join(process.env.TOOLPRISM_ROOT, "wasm/component/README.md"), "utf8");
  const [, code] = readme.match(/```js\n([^]*?)```/);
  const promised = [...code.matchAll(/console\.log\(.*\/\/ (.*)/g)].map((match) => match[1]);
  assert.equal(promised.length, 3);
  const samples = `"${path.join(process.env.TOOLPRISM_ROOT, "samples")}/`;
  writeFileSync("readme.js", code.replaceAll("console.log(", "printed.push(").replaceAll('"samples/', samples));
  globalThis.printed = [];
  await import(path.resolve("readme.js"));
  assert.deepEqual(globalThis.printed.map(String), promised);
});
