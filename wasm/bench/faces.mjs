// The figures of the npm package, in one run: `cargo xtask bench faces`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { identify, readSession } from 'toolprism';

/** The best of several rounds, in microseconds for one call. */
function time(use, calls) {
  for (let i = 0; i < calls; i++) use();
  let best = Infinity;
  for (let round = 0; round < 9; round++) {
    const start = performance.now();
    for (let i = 0; i < calls; i++) use();
    best = Math.min(best, ((performance.now() - start) * 1000) / calls);
  }
  return best;
}

const show = (what, figure) => console.log(`${what.padEnd(62)} ${figure}`);
const call = (size) => ({ harness: 'claude_code', name: 'Write', raw_input: { file_path: '/home/u/project/src/main.rs', content: 'x'.repeat(size) } });

console.log('identify, the call as an object');
const [small, large] = [call(900), call(1_000_000)];
for (const [name, object, calls] of [['1 KB', small, 50_000], ['1 MB', large, 50_000]]) {
  show(`  read in place, ${name}`, `${time(() => identify(object), calls).toFixed(2)} us`);
}
for (const [name, object, calls] of [['1 KB', small, 20_000], ['1 MB', large, 40]]) {
  show(`  for comparison: JSON.stringify and JSON.parse alone, ${name}`, `${time(() => JSON.parse(JSON.stringify(object)), calls).toFixed(2)} us`);
}
const answer = JSON.stringify(identify(small));
show('  of that, JSON.parse of the answer', `${time(() => JSON.parse(answer), 50_000).toFixed(2)} us`);

const root = process.env.TOOLPRISM_ROOT;
for (const sample of ['codex/rollout-2026-11-30T10-08-53-01a22bed-c899-72a1-a3cd-c23dc0bfa393.jsonl', 'claude_code/37d4f977-7cbe-4fa2-8c99-c4fcc6cbe510.jsonl', 'acp/opencode.jsonl']) {
  const log = readFileSync(join(root, 'samples', sample));
  const decoder = new TextDecoder();
  const lines = time(() => {
    for (const line of decoder.decode(log).split('\n')) if (line) JSON.parse(line);
  }, 20);
  const read = time(() => readSession(log), 20);
  console.log(`reading ${sample.split('/')[0]}, ${(log.length / 1e3).toFixed(0)} kB of bytes`);
  show('  readSession', `${read.toFixed(0)} us, ${(log.length / read).toFixed(0)} MB/s`);
  show('  decode, and JSON.parse of each line, alone', `${lines.toFixed(0)} us, ${(log.length / lines).toFixed(0)} MB/s`);
  show('  ratio', `${(lines / read).toFixed(2)}`);
}

const packed = (names) => names.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(`./node_modules/toolprism/${name}`, import.meta.url)), { level: 9 }).length, 0);
console.log('sizes, gzip');
for (const name of ['identity', 'ledger', 'finalize']) {
  show(`  ${name}.wasm`, `${packed([`${name}.wasm`])} bytes`);
}
