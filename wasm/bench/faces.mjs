// The figures of the npm package, in one run: `cargo xtask bench faces`.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { identify, PartialInput, readSession, Scan } from 'toolprism';
import { LiveCalls } from 'toolprism/live';

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

/** The logs to read: samples, which are all calls, and whole sessions where a collection of logs is at hand. */
const root = process.env.TOOLPRISM_ROOT;
const logs = {
  'samples of Codex': ['samples/codex'],
  'samples of Claude Code': ['samples/claude_code'],
  'samples of ACP agents': ['samples/acp'],
  'sessions of Claude Code': ['../shared/data/claude/spotter'],
  'sessions of Codex': ['../shared/data/codex/agent-sessions-small.jsonl'],
  'sessions of Grok Build': ['../shared/data/acp/run-grok-0.2.111-agent-stdout.jsonl'],
};

/** A file, or the `.jsonl` files of a folder, one after the other. */
function bytes(path) {
  if (!existsSync(path)) return Buffer.alloc(0);
  if (!statSync(path).isDirectory()) return readFileSync(path);
  const names = readdirSync(path).filter((name) => name.endsWith('.jsonl')).sort();
  return Buffer.concat(names.flatMap((name) => [readFileSync(join(path, name)), Buffer.from('\n')]));
}

for (const [title, paths] of Object.entries(logs)) {
  const text = Buffer.concat(paths.map((path) => bytes(join(root, path))));
  if (text.length === 0) {
    console.log(`reading ${title}: not here, not measured`);
    continue;
  }
  const log = Buffer.concat(Array(Math.ceil(4e6 / text.length)).fill(text));
  const decoder = new TextDecoder();
  const lines = time(() => {
    for (const line of decoder.decode(log).split('\n')) if (line) JSON.parse(line);
  }, 1);
  const read = time(() => readSession(log), 1);
  console.log(`reading ${title}, ${(log.length / 1e6).toFixed(1)} MB of bytes, ${readSession(log).calls.length} calls`);
  show('  readSession', `${(log.length / read).toFixed(0)} MB/s`);
  show('  decode, and JSON.parse of each line, alone', `${(log.length / lines).toFixed(0)} MB/s`);
  show('  ratio', `${(lines / read).toFixed(2)}`);
}

/** Three kinds of arguments of 20 KB, the same as those of `cargo xtask bench partial`. */
const code = 'fn main() {\n    println!("a\\\\b");\n}\n';
const edit = (_, i) => ({ find: `let x${i} = 1;`, replace: `let y${i} = 2;`, all: i % 2 === 0 });
const streams = Object.entries({
  plain: { path: 'src/a.rs', content: 'some text '.repeat(2000) },
  escapes: { path: 'src/a.rs', content: code.repeat(390) },
  edits: { path: 'src/a.rs', edits: Array.from({ length: 300 }, edit) },
}).map(([name, object]) => [name, JSON.stringify(object)]);
const write = { harness: 'claude_code', name: 'Write' };

/** Pushes a stream in deltas of 4 characters. */
function streamed(text, look) {
  const input = new PartialInput();
  for (let at = 0; at < text.length; at += 4) {
    input.push(text.slice(at, at + 4));
    look(input);
  }
  if (!input.isComplete) throw new Error('the arguments are not complete');
  input.free();
}

/** Has the AI SDK read all of the text again for each delta. */
async function readAgain(parsePartialJson, text) {
  const start = performance.now();
  for (let at = 4; at < text.length + 4; at += 4) await parsePartialJson(text.slice(0, at));
  return performance.now() - start;
}

const millis = (use) => `${(time(use, 5) / 1000).toFixed(3)} ms`;
const peer = await import('ai').catch(() => undefined);
for (const [name, text] of streams) {
  console.log(`arguments in deltas of 4 characters, ${name}, ${(text.length / 1e3).toFixed(0)} KB`);
  show('  PartialInput, pushed', millis(() => streamed(text, () => {})));
  show('  PartialInput, completeness asked after each delta', millis(() => streamed(text, (input) => input.isComplete)));
  show('  PartialInput, identified after each delta', millis(() => streamed(text, (input) => input.identify(write))));
  show('  for comparison: JSON.parse of the whole, once', millis(() => JSON.parse(text)));
  const again = peer ? `${(await readAgain(peer.parsePartialJson, text)).toFixed(0)} ms` : 'not here, not measured';
  show('  for comparison: parsePartialJson of the AI SDK after each delta', again);
}

console.log('a live stream: each call is appended, and the groups are asked for');
for (const count of [1_000, 100_000]) {
  const live = new LiveCalls({ wire: 'ai_sdk' });
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    live.push({ type: 'tool-input-available', toolCallId: `c${i}`, toolName: ['Read', 'Bash', 'Edit'][i % 3], input: { file_path: `/a/${i}`, command: 'ls' } });
    live.groups();
  }
  show(`  ${count.toLocaleString('en')} calls`, `${(((performance.now() - start) * 1000) / count).toFixed(2)} us a call`);
  live.free();
}

const packed = (names) => names.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(`./node_modules/toolprism/${name}`, import.meta.url)), { level: 9 }).length, 0);
console.log('sizes, gzip');
for (const name of ['identity', 'ledger', 'finalize', 'live']) {
  show(`  ${name}.wasm`, `${packed([`${name}.wasm`])} bytes`);
}

/** A call and its result in a Claude Code session. */
function calls(from, to) {
  const lines = [];
  for (let i = from; i < to; i++) {
    const id = `toolu_01${String(i).padStart(22, 'A')}`;
    const input = [{ file_path: `/home/u/project/src/module_${i % 5000}.rs` }, { command: `cargo test -p crate_${i % 97} test_${i}` }, { pattern: `fn name_${i % 300}`, path: 'src' }][i % 3];
    const common = { sessionId: `session-${from}`, timestamp: new Date(1.8e12 + i * 1000).toISOString(), version: '2.1.96' };
    const name = ['Read', 'Bash', 'Grep'][i % 3];
    lines.push({ ...common, type: 'assistant', uuid: `u${i}`, message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] } });
    lines.push({ ...common, type: 'user', uuid: `r${i}`, message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'fine', is_error: i % 50 === 0 }] } });
  }
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

console.log('a scan of 100,000 calls in 100 files');
const scan = new Scan();
for (let file = 0; file < 100; file++) scan.begin(`${file}.jsonl`).push(calls(file * 1000, (file + 1) * 1000));
scan.finish();
const failed = scan.select({ status: 'failed' });
const records = scan.calls();
for (const [what, use] of Object.entries({
  'select by label': () => scan.select({ label: 'Read' }),
  'select by text': () => scan.select({ text: 'MODULE_77' }),
  'for comparison: a loop over 100,000 objects, each as JSON': () => records.filter((record) => JSON.stringify(record).toLowerCase().includes('module_77')),
  'groups by label, with activity': () => scan.groups('label', { bins: 60 }),
  'groups by label of 2,000 calls': () => scan.groups('label', { calls: failed }),
  'where 100,000 runs begin': () => scan.runStarts(),
  '200 of them, in brief': () => scan.runs('label', { from: 50_000, to: 50_200, brief: true }),
  'summary': () => scan.summary(),
  '200 calls': () => scan.calls(50_000, 50_200),
})) show(`  ${what}`, `${(time(use, 1) / 1000).toFixed(1)} ms`);
scan.free();
