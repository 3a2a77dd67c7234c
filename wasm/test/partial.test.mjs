// Arguments that stream: the cases that every face runs, cut everywhere, and what a caller may do wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { identify, PartialInput, ToolprismError } from 'toolprism';

const folder = join(process.env.TOOLPRISM_ROOT, 'conformance');
const cases = readFileSync(join(folder, 'partial.jsonl'), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
const encoder = new TextEncoder();
const read = { harness: 'claude_code', name: 'Read' };

const inputOf = ({ lenient }) => new PartialInput({ mode: lenient ? 'lenient' : 'strict' });

/** What a case says of its text from so many bytes on. */
function stepAt({ steps }, bytes) {
  const [, visible, closed] = steps.findLast(([from]) => from <= bytes);
  return { visible, closed };
}

function look(input) {
  return { visible: input.visible(), closed: input.isComplete };
}

/** The fault is the case's, and nothing else is wrong. */
function assertEnd(input, { id, fault, steps }) {
  const { state, fault: found } = input.state;
  if (fault === undefined) {
    assert.equal(found, undefined, id);
    assert.equal(state, steps.at(-1)[2] ? 'complete' : 'open', id);
  } else {
    assert.equal(state, 'broken', id);
    assert.deepEqual({ code: found.code, offset: found.offset }, fault, id);
    assert.ok(found.message.length > 5, id);
  }
}

test('there are as many cases as the manifest says', () => {
  assert.equal(cases.length, JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).partial);
});

test('the cases, byte by byte', () => {
  for (const one of cases) {
    const [input, bytes] = [inputOf(one), encoder.encode(one.doc)];
    assert.equal(bytes.length, one.bytes, one.id);
    assert.deepEqual(look(input), stepAt(one, 0), one.id);
    for (let at = 0; at < bytes.length; at++) {
      input.push(bytes.subarray(at, at + 1));
      assert.deepEqual(look(input), stepAt(one, at + 1), `${one.id}, byte ${at + 1}`);
    }
    assertEnd(input, one);
  }
});

test('the cases, cut in two at every byte', () => {
  for (const one of cases) {
    const bytes = encoder.encode(one.doc);
    for (let at = 0; at <= bytes.length; at++) {
      const input = inputOf(one).push(bytes.subarray(0, at));
      assert.deepEqual(look(input), stepAt(one, at), `${one.id}, byte ${at}`);
      assert.deepEqual(look(input.push(bytes.slice(at).buffer)), stepAt(one, bytes.length), `${one.id}, byte ${at}`);
      input.free();
    }
  }
});

test('the cases as text, unit by unit of UTF-16', () => {
  for (const one of cases) {
    const input = inputOf(one);
    for (let at = 1; at <= one.doc.length; at++) {
      input.push(one.doc[at - 1]);
      // Of half a character nothing is there yet.
      const whole = one.doc.slice(0, /[\ud800-\udbff]/.test(one.doc[at - 1]) ? at - 1 : at);
      assert.deepEqual(look(input), stepAt(one, encoder.encode(whole).length), `${one.id}, unit ${at}`);
    }
    assertEnd(input, one);
  }
});

test('the cases as text, cut in two at every unit, looked at only at the end', () => {
  for (const one of cases) {
    for (let at = 0; at <= one.doc.length; at++) {
      const input = inputOf(one).push(one.doc.slice(0, at)).push(one.doc.slice(at));
      assertEnd(input, one);
      assert.deepEqual(look(input), stepAt(one, one.bytes), `${one.id}, unit ${at}`);
      input.free();
    }
  }
});

test('text and bytes may take turns, and half a character that nothing follows shows as U+FFFD', () => {
  const input = new PartialInput().push('{"a":"').push(encoder.encode('é')).push('🙂'.slice(0, 1));
  assert.deepEqual(input.visible(), { a: 'é' });
  input.push('🙂'.slice(1)).push('🙂'.slice(0, 1)).push(encoder.encode('"}'));
  assert.deepEqual(input.visible(), { a: 'é🙂\ufffd' });
  const cut = new PartialInput({ mode: 'text' }).push('a').push('🙂'.slice(0, 1));
  assert.equal(cut.visible(), 'a');
  assert.equal(cut.finish().visible(), 'a\ufffd');
  const shared = new Uint8Array(new SharedArrayBuffer(2));
  shared.set(encoder.encode('[]'));
  assert.deepEqual(new PartialInput().push(shared).visible(), []);
});

test('long text that nobody looks at is all there', () => {
  const input = new PartialInput().push('{"a":"');
  for (let i = 0; i < 50_000; i++) input.push('é🙂');
  assert.equal(input.push('"}').isComplete, true);
  assert.equal(input.visible().a, 'é🙂'.repeat(50_000));
});

test('states, and what comes too late', () => {
  const input = new PartialInput().push('{"a":"b');
  assert.deepEqual(input.state, { state: 'open', late: 0 });
  assert.deepEqual(input.finish().finish().state, { state: 'incomplete', late: 0 });
  assert.deepEqual(input.push('é"}').state, { state: 'incomplete', late: 4 });
  assert.deepEqual(input.visible(), { a: 'b' });
  assert.deepEqual(new PartialInput().push('12').finish().state, { state: 'complete', late: 0 });
  const message = 'expected a member name';
  assert.deepEqual(new PartialInput().push('{"é":1,}').state, { state: 'broken', fault: { code: 'expected_key', offset: 8, message }, late: 0 });
});

test('long strings are kept as wanted', () => {
  const text = `{"a":"${'x'.repeat(6000)}"}`;
  const kept = new PartialInput({ keep: { head: 5000, tail: 10 } }).push(text).visible().a;
  assert.equal(kept, `${'x'.repeat(5000)}…[990 bytes omitted]…${'x'.repeat(10)}`);
  assert.equal(new PartialInput().push(text).visible().a.length, 6000);
});

test('a call is identified by what is there of its arguments', () => {
  const input = new PartialInput({ mode: 'lenient' });
  const start = input.identify(read);
  assert.deepEqual(start, { ...identify(read), growing: [] });
  input.push('{"offset": 10, "file_path": "src/ma');
  const found = input.identify({ ...read, raw_input: { file_path: 'other' } });
  assert.deepEqual([found.input, found.growing, found.why], [{ path: 'src/ma', offset: 10 }, ['path'], 'catalog']);
  const whole = { offset: 10, file_path: 'src/main.rs' };
  assert.deepEqual(input.push('in.rs"}').identify(read), { ...identify({ ...read, raw_input: whole }), growing: [] });
});

/** It throws an error of this kind (`TypeError`, or the kind of a `ToolprismError`), and then a good one works. */
function refuses(kind, use) {
  assert.throws(use, (error) => {
    assert.equal(error instanceof ToolprismError ? error.kind : error.name, kind, error.stack);
    assert.ok(error.message.length > 10);
    return true;
  });
  assert.deepEqual(new PartialInput().push('[1]').visible(), [1]);
}

test('wrong options, deltas and calls', () => {
  for (const options of [5n, Symbol('s'), () => {}]) refuses('TypeError', () => new PartialInput(options));
  for (const options of [null, 5, 'lenient', []]) refuses('not_an_object', () => new PartialInput(options));
  for (const options of [{ mode: 5 }, { keep: 5 }, { keep: { head: '1' } }, { keep: { tail: -1 } }]) {
    refuses('wrong_type', () => new PartialInput(options));
  }
  assert.throws(() => new PartialInput({ mode: 'loose' }), { kind: 'unknown_value', offset: 8, message: /strict, lenient, text/ });
  const input = new PartialInput().push('{"file_path":"a');
  const detached = new Uint8Array(8);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  for (const delta of [undefined, null, 5, 5n, {}, [], [1], detached]) refuses('TypeError', () => input.push(delta));
  for (const call of [undefined, 5n, Symbol('s'), () => {}, { name: 5n }]) refuses('TypeError', () => input.identify(call));
  for (const call of [null, 5, 'text', []]) refuses('not_an_object', () => input.identify(call));
  for (const name of [5, true, {}, []]) refuses('wrong_type', () => input.identify({ name }));
  refuses('unreadable', () => input.identify({ get name() { throw new Error('mine'); } }));
  assert.deepEqual(input.identify(read).growing, ['path']);
});

test('what was freed says so', () => {
  const input = new PartialInput().push('[');
  input.free();
  input.free();
  const uses = [
    () => input.push('1'), () => input.push(encoder.encode('1')), () => input.finish(), () => input.visible(),
    () => input.isComplete, () => input.state, () => input.identify(read),
  ];
  for (const use of uses) refuses('freed', use);
  if (Symbol.dispose) {
    const disposed = new PartialInput();
    disposed[Symbol.dispose]();
    refuses('freed', () => disposed.visible());
  }
});
