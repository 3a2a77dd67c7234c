// Many files as one list of calls. What the answers hold is tested where they are made; here it is how they are asked for.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { readSession, Scan, ToolprismError } from 'toolprism';

const names = ['claude_code/37d4f977-7cbe-4fa2-8c99-c4fcc6cbe510.jsonl', 'acp/opencode.jsonl', 'opencode/export.json'];
const logs = names.map((name) => readFileSync(join(process.env.TOOLPRISM_ROOT, 'samples', name)));

/** The samples, read in pieces; `of` makes a piece of bytes. */
function read(scan = new Scan(), of = (bytes) => bytes) {
  for (const [i, log] of logs.entries()) {
    scan.begin(names[i]);
    for (let at = 0; at < log.length; at += 9973) scan.push(of(log.subarray(at, at + 9973)));
  }
  return scan.finish();
}

const scan = read();
const all = scan.calls();

test('the calls of all files are one list', () => {
  const apart = logs.flatMap((log, i) => readSession(log).calls.map((call) => ({ ...call, file: names[i] })));
  const unlinked = ({ subject, ...call }) => ({ ...call, parent_id: null });
  assert.deepEqual(all.map(unlinked), apart.map(unlinked));
  for (const { subject, input } of all) if (input?.command) assert.equal(subject, input.command);
  assert.equal(scan.size, all.length);
  assert.ok(all.length > 50);
});

test('every kind of piece gives the same', () => {
  for (const of of [(bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), (bytes) => Uint8Array.from(bytes)]) {
    assert.deepEqual(read(new Scan(), of).calls(), all);
  }
  const texts = new Scan();
  for (const [i, log] of logs.entries()) {
    texts.begin(names[i]);
    for (const unit of log.toString('utf8').match(/[^]{1,777}/g)) texts.push(unit);
  }
  assert.deepEqual(texts.finish().calls(), all);
});

test('half a character at the end of a file does not run on into the next', () => {
  const scan = new Scan().begin('a').push('\ud83d').begin('b').push('\ude42').begin('c').push('\ud83d').push(Buffer.from('x')).push('\ude42');
  const { files } = scan.begin('d').push('\ud83d').push('\ude42').finish().report();
  assert.deepEqual(files.map(({ file, bytes }) => [file, bytes]), [['a', 3], ['b', 3], ['c', 7], ['d', 4]]);
});

test('calls are taken as slice takes them', () => {
  const n = all.length;
  for (const range of [[], [5], [5, 9], [-3], [-3, -1], [3, -3], [9, 5], [n], [0, n + 9], [-n - 9, 2], [undefined, 2], [1.9, 3.9], ['2', '4'], [NaN, 1], [0, Infinity], [-Infinity, 2], [null, 3]]) {
    assert.deepEqual(scan.calls(...range), all.slice(...range), String(range));
  }
});

test('calls are taken by their numbers, in the order given', () => {
  for (const numbers of [[], [4], [9, 2, 9], [0, all.length - 1]]) {
    const expected = numbers.map((number) => all[number]);
    assert.deepEqual(scan.calls(numbers), expected);
    assert.deepEqual(scan.calls(Uint32Array.from(numbers)), expected);
  }
  const shared = new Uint32Array(new SharedArrayBuffer(8));
  shared.set([3, 1]);
  assert.deepEqual(scan.calls(shared), [all[3], all[1]]);
  assert.deepEqual(scan.calls(Uint32Array.of(7, 8, 9).subarray(1, 2)), [all[8]]);
});

test('what is selected can be asked about', () => {
  const numbers = scan.select({ label: 'Run Command' });
  assert.ok(numbers instanceof Uint32Array && numbers.length > 3);
  assert.deepEqual([...numbers], all.flatMap((call, i) => (call.label === 'Run Command' ? [i] : [])));
  assert.deepEqual([...scan.select({ file: names[1], status: ['failed'], server: undefined })], all.flatMap((call, i) => (call.file === names[1] && call.status === 'failed' ? [i] : [])));
  assert.equal(scan.select().length, all.length);
  const groups = scan.groups('file', { calls: numbers, bins: 7 });
  for (const group of groups) {
    assert.equal(group.calls, scan.select({ label: 'Run Command', file: group.value }).length);
    assert.equal(group.activity.length, 7);
    assert.equal(group.activity.reduce((sum, n) => sum + n), group.calls);
  }
  assert.equal(scan.summary({ calls: numbers }).calls, numbers.length);
  assert.deepEqual(scan.summary({ calls: [] }).harnesses, []);
  const runs = scan.runs('label', { calls: numbers });
  assert.deepEqual(runs.map(({ first }) => first), [...scan.runStarts('label', { calls: numbers })]);
  assert.deepEqual(runs.map(({ first, last }) => last - first + 1), runs.map(({ calls }) => calls));
  assert.ok(runs.every(({ first, first_id }) => scan.calls([numbers[first]])[0].id === first_id));
});

test('groups and runs by page, and in brief', () => {
  assert.deepEqual(scan.groups(), scan.groups('label'));
  assert.deepEqual(scan.groups('status', { from: 1 }), scan.groups('status').slice(1));
  assert.deepEqual(scan.groups('status', { to: 1 }), scan.groups('status').slice(0, 1));
  assert.equal(scan.groups('all')[0].calls, all.length);
  assert.ok(!('activity' in scan.groups('all')[0]));
  const runs = scan.runs();
  assert.deepEqual(runs, scan.runs('label', {}));
  assert.deepEqual(scan.runs('label', { from: 3, to: 5 }), runs.slice(3, 5));
  const brief = runs.map(({ names, labels, paths, top_paths, ...rest }) => rest);
  assert.deepEqual(scan.runs('label', { brief: true }), brief);
});

test('more than a page of records', () => {
  const line = (i) => `${JSON.stringify({ type: 'assistant', sessionId: 's', uuid: `u${i}`, message: { role: 'assistant', content: [
    { type: 'tool_use', id: `t${i}`, name: i % 2 ? 'Read' : 'Bash', input: { file_path: `f${i % 20_001}` } }] } })}\n`;
  const many = new Scan().begin('many');
  const count = 20_003;
  many.push(Array.from({ length: count }, (_, i) => line(i)).join('')).finish();
  const ids = many.calls().map(({ id }) => id);
  assert.deepEqual(ids, Array.from({ length: count }, (_, i) => `t${i}`));
  assert.deepEqual(many.calls(Uint32Array.from(ids.keys()).reverse()).map(({ id }) => id), ids.toReversed());
  const csv = many.csv().split('\n');
  assert.equal(csv.length, count + 2);
  assert.ok(csv[0].startsWith('id,') && csv[count].startsWith(`t${count - 1},`) && csv[count + 1] === '');
  assert.deepEqual(many.runs().map(({ first }) => first), [...ids.keys()]);
  assert.equal(many.runs('label', { from: 5_000, to: 15_001 }).length, 10_001);
  assert.equal(many.groups('path').length, 10_001);
  assert.deepEqual(many.groups('path', { from: 9_999, to: 10_002 }).map(({ calls }) => calls), [1, 1]);
  many.free();
});

test('CSV of calls and groups', () => {
  const csv = scan.csv(-1);
  const [header, line] = csv.split('\n');
  assert.ok(header.startsWith('id,name,label,') && line.startsWith(`${all.at(-1).id},`));
  assert.equal(scan.csv([all.length - 1]), csv);
  assert.equal(scan.csv([]), `${header}\n`);
  assert.ok(scan.groupsCsv('all').startsWith('key,by,value,calls,'));
  assert.ok(scan.groupsCsv('all', { calls: [3, 4] }).includes('\nall:all,all,all,2,'));
});

test('the report, also of a file that fails', () => {
  const report = new Scan().begin('a').push(logs[1]).begin('b').push('{"x').fail(new Error('gone')).finish().report();
  assert.deepEqual(report.files.map(({ file, calls, bytes, error }) => [file, calls, bytes, error]), [
    ['a', readSession(logs[1]).calls.length, logs[1].length, null],
    ['b', 0, 3, 'Error: gone'],
  ]);
  assert.equal(report.copies, 0);
  // What is copied: the same file twice.
  const twice = new Scan().begin('a').push(logs[1]).begin('b').push(logs[1]);
  const once = twice.size / 2;
  assert.equal(twice.finish().report().copies, once);
  assert.equal(twice.size, once);
});

test('arguments are there if they are asked for', () => {
  assert.ok(all.every((call) => !('raw_input' in call)));
  assert.ok(read(new Scan({ raw_input: true })).calls(0, 9).every((call) => 'raw_input' in call));
});

function refuses(kind, use) {
  assert.throws(use, (error) => {
    assert.equal(error instanceof ToolprismError ? error.kind : error.name, kind, error.stack);
    assert.ok(error.message.length > 10);
    return true;
  });
  assert.equal(scan.size, all.length);
}

test('what is wrong is refused, and the next call works', () => {
  refuses('not_begun', () => new Scan().push(''));
  refuses('not_begun', () => new Scan().fail('x'));
  refuses('finished', () => new Scan().begin('a').finish().push(new Uint8Array()));
  refuses('finished', () => new Scan().finish().begin('a'));
  for (const name of [undefined, null, 5, {}]) refuses('TypeError', () => new Scan().begin(name));
  for (const piece of [undefined, null, 5, {}, []]) refuses('TypeError', () => new Scan().begin('a').push(piece));
  refuses('wrong_type', () => new Scan({ strict: 1 }));
  refuses('not_an_object', () => new Scan([]));
  for (const numbers of [[-1], [1.5], ['1'], [undefined], [2 ** 32], [NaN], [null]]) {
    refuses('TypeError', () => scan.calls(numbers));
    refuses('TypeError', () => scan.groups('label', { calls: numbers }));
  }
  for (const list of [{}, new Uint8Array(2), new Set([1])]) refuses('TypeError', () => scan.calls(list));
  for (const list of ['1', 5, true]) refuses('TypeError', () => scan.summary({ calls: list }));
  for (const use of ['calls', 'csv']) refuses('out_of_range', () => scan[use]([all.length]));
  for (const use of ['groups', 'groupsCsv', 'runs', 'runStarts']) {
    refuses('out_of_range', () => scan[use]('label', { calls: [all.length] }));
    refuses('unknown_value', () => scan[use]('colour'));
    refuses('TypeError', () => scan[use](5));
  }
  refuses('out_of_range', () => scan.groups('all', { bins: 0 }));
  refuses('wrong_type', () => scan.groups('all', { bins: 'x' }));
  for (const place of [-1, 1.5, 'x', NaN]) {
    refuses('TypeError', () => scan.runs('label', { from: place }));
    refuses('TypeError', () => scan.groups('label', { to: place }));
  }
  for (const by of ['session', 'file', 'status', 'all']) refuses('unknown_value', () => scan.runs(by));
  refuses('unknown_value', () => scan.select({ lable: 'x' }));
  refuses('unknown_value', () => scan.select({ status: 'done' }));
  refuses('wrong_type', () => scan.select({ label: 5 }));
  refuses('wrong_type', () => scan.select({ since: new Date(NaN).toString() }));
  refuses('not_an_object', () => scan.select(null));
  refuses('TypeError', () => scan.select({ text: 5n }));
  const freed = new Scan().begin('a');
  freed.free();
  freed.free();
  for (const use of [() => freed.push(''), () => freed.size, () => freed.calls(), () => freed.calls([]), () => freed.select(), () => freed.runs(), () => freed.begin('b'), () => freed.finish()]) refuses('freed', use);
});

test('hostile text comes through as text', () => {
  const hostile = ['<img src=x onerror=alert(1)>', '\u0000\u2028\u2029\u0085', '"],"x":["', '🙂\ud800', '__proto__', ','.repeat(10), '=1+1'];
  const line = (text, i) => `${JSON.stringify({ type: 'assistant', sessionId: text, uuid: `u${i}`, message: { role: 'assistant', content: [
    { type: 'tool_use', id: `t${i}`, name: text, input: { file_path: text } }] } })}\n`;
  const shown = (text) => text.replaceAll('\ud800', '\ufffd');
  const odd = new Scan();
  for (const [i, text] of hostile.entries()) odd.begin(text).push(line(text, i));
  odd.finish();
  for (const [i, text] of hostile.entries()) {
    const [call] = odd.calls(i, i + 1);
    assert.deepEqual([call.name, call.session, call.file], [text, text, text].map(shown));
    assert.deepEqual([...odd.select({ name: shown(text), file: shown(text) })], [i]);
    assert.ok(odd.select({ text: text.replaceAll('\ud800', '').split(/\s/u)[0] }).includes(i));
  }
  assert.deepEqual(odd.groups('session').map(({ value }) => value), hostile.map(shown));
  // A search whose parts match again and again takes no longer than the text is long.
  const long = 'a'.repeat(1_000_000);
  odd.free();
  const slow = new Scan().begin('f').push(line(`${long}b`, 0)).finish();
  assert.equal(slow.select({ text: `${'a'.repeat(300_000)}b` }).length, 1);
  assert.equal(slow.select({ text: `${'a'.repeat(300_000)}c` }).length, 0);
});
