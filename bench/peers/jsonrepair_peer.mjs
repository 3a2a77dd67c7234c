// Times jsonrepair and JSON.parse on each text of a JSON list: prints [[microseconds, accepted], ...].
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [, , input, installed] = process.argv;
const { jsonrepair } = createRequire(join(resolve(installed), "package.json"))("jsonrepair");
const MILLISECONDS = 300;

function accepted(text) {
  try {
    const value = JSON.parse(jsonrepair(text));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function best(text) {
  const end = performance.now() + MILLISECONDS;
  let least = Infinity;
  while (performance.now() < end) {
    const start = performance.now();
    accepted(text);
    least = Math.min(least, performance.now() - start);
  }
  return least * 1000;
}

const texts = JSON.parse(readFileSync(input, "utf8"));
console.log(JSON.stringify(texts.map((text) => [best(text), accepted(text)])));
