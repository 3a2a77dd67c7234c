// Times jsonriver on each text of a JSON list, in pieces of four bytes: prints [milliseconds, ...].
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [, , input, installed] = process.argv;
const module = join(resolve(installed), "node_modules/jsonriver/dist/index.js");
const { parse } = await import(pathToFileURL(module).href);
const MILLISECONDS = 1000;

async function* pieces(text) {
  for (let at = 0; at < text.length; at += 4) yield text.slice(at, at + 4);
}

async function best(text) {
  const end = performance.now() + MILLISECONDS;
  let least = Infinity;
  while (performance.now() < end) {
    const start = performance.now();
    for await (const value of parse(pieces(text))) void value;
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

const times = [];
for (const text of JSON.parse(readFileSync(input, "utf8"))) times.push(await best(text));
console.log(JSON.stringify(times));
