// Live streams: what changes, what stays the same object, and what a stream may do wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveCalls, OutputPreview, ToolprismError } from 'toolprism/live';

const aiSdk = (options) => new LiveCalls({ wire: 'ai_sdk', now: null, ...options });
const called = (toolCallId, toolName, input) => ({ type: 'tool-input-available', toolCallId, toolName, input });
const answered = (toolCallId) => ({ type: 'tool-output-available', toolCallId, output: 'x' });

test('a call that does not change stays the same object', () => {
  const live = aiSdk();
  live.push(called('c1', 'Read', { file_path: 'a' })).push(called('c2', 'Bash', { command: 'ls' }));
  const before = live.calls;
  assert.equal(live.calls, before);
  assert.deepEqual([before[0].label, before[0].subject, before[0].verb, before[0].icon], ['Read', 'a', 'Reading', 'file']);
  live.push(answered('c2'));
  const after = live.calls;
  assert.notEqual(after, before);
  assert.equal(after[0], before[0]);
  assert.notEqual(after[1], before[1]);
  assert.deepEqual([after[1].status, after[1].verb, after[1].verb_key], ['completed', 'Ran', 'tool.execute.done']);
  assert.equal(before[1].status, 'pending', 'what was shown stays as it was');
  live.push({ type: 'text-delta', id: 't', delta: 'hello' });
  assert.equal(live.calls, after, 'what says nothing of a call changes nothing');
  assert.equal(live.at(0), after[0]);
  assert.equal(live.at(-1), after[1]);
  assert.equal(live.at(2), undefined);
});

test('what is not known is absent', () => {
  const live = aiSdk().push(called('c1', 'Read', {}));
  for (const name of ['input', 'subject', 'session', 'error', 'started_at']) assert.equal(name in live.at(0), false, name);
});

test('groups and runs follow the calls, and stay the same objects otherwise', () => {
  const live = aiSdk();
  live.push(called('c1', 'Read', { file_path: 'a' })).push(called('c2', 'Read', { file_path: 'b' })).push(called('c3', 'Bash', { command: 'ls' }));
  const [groups, runs] = [live.groups(), live.runs()];
  assert.deepEqual(groups.map((group) => [group.key, group.count, group.pending, group.line]), [
    ['label:Read', 2, 2, 'Reading 2 files'],
    ['label:Run Command', 1, 1, 'Running 1 command'],
  ]);
  assert.deepEqual(runs.map((run) => run.calls.map((call) => call.id)), [['c1', 'c2'], ['c3']]);
  live.push({ type: 'tool-output-error', toolCallId: 'c1', errorText: 'no' });
  const [later, laterRuns] = [live.groups(), live.runs()];
  assert.notEqual(later[0], groups[0]);
  assert.equal(later[1], groups[1]);
  assert.deepEqual([later[0].failed, later[0].calls[0].error, later[0].line], [1, 'no', 'Reading 2 files, 1 failed']);
  assert.equal(laterRuns[1], runs[1]);
  assert.equal(live.groups(), later);
  assert.deepEqual(live.groups('name').map((group) => group.value), ['Read', 'Bash']);
  assert.equal(live.line, 'Reading 2 files, running 1 command, 1 failed');
  assert.equal(live.lineOf(live.groups()[1].calls), 'Running 1 command');
  assert.equal(live.lineOf([]), '');
});

test('a call that turns out to be another tool moves', () => {
  const live = new LiveCalls({ wire: 'acp', now: null });
  const update = (update) => live.push({ sessionId: 's', update });
  update({ sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Working' });
  update({ sessionUpdate: 'tool_call', toolCallId: 'c2', title: 'ls', kind: 'execute', rawInput: { command: 'ls' } });
  assert.deepEqual(live.groups().map((group) => [group.value, group.count]), [['Tool', 1], ['Run Command', 1]]);
  assert.equal(live.runs().length, 2);
  update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', kind: 'execute', rawInput: { command: 'pwd' } });
  assert.deepEqual(live.groups().map((group) => [group.value, group.count]), [['Run Command', 2]], 'a group without calls is not shown');
  assert.deepEqual(live.runs().map((run) => run.calls.map((call) => call.subject)), [['pwd', 'ls']]);
});

test('listeners hear of every message until they leave', () => {
  const live = aiSdk();
  const { subscribe } = live;
  let heard = 0;
  const leave = subscribe(() => heard++);
  live.push(called('c1', 'Read', {}));
  live.endTurn();
  assert.equal(heard, 2);
  leave();
  live.push(called('c2', 'Read', {}));
  assert.equal(heard, 2);
});

test('the clock gives times to streams that have none', () => {
  let now = 1_000;
  const live = aiSdk({ now: () => now });
  live.push(called('c1', 'Bash', { command: 'ls' }));
  now = 3_500;
  live.push(answered('c1'));
  assert.deepEqual([live.at(0).started_at, live.at(0).duration_ms], ['1970-01-01T00:00:01.000Z', 2_500]);
});

test('what a message told before it could not be read any further counts', () => {
  const live = aiSdk();
  let heard = 0;
  live.subscribe(() => heard++);
  assert.deepEqual(live.calls, []);
  const part = (toolCallId, more) => ({ type: 'tool-Read', toolCallId, state: 'input-available', ...more });
  const second = part('b');
  Object.defineProperty(second, 'input', { enumerable: true, get() { throw new Error('mine'); } });
  assert.throws(() => live.push({ role: 'assistant', parts: [part('a', { input: { file_path: 'x' } }), second] }), ToolprismError);
  assert.equal(heard, 1);
  assert.equal(live.calls.length, live.size);
  assert.equal(live.groups().reduce((sum, group) => sum + group.count, 0), live.size);
});

test('lists that lie about their length do no harm', () => {
  const live = aiSdk();
  const lying = (length) => new Proxy([], { get: (target, name) => (name === 'length' ? length() : target[name]) });
  for (const length of [() => { throw new Error('mine'); }, () => -1, () => 1e12, () => 5n, () => Symbol('x'), () => NaN]) {
    assert.throws(() => live.push({ role: 'assistant', parts: lying(length) }), ToolprismError);
  }
  assert.throws(() => live.push({ role: 'assistant', parts: new Array(4e8) }), (error) => error.kind === 'too_large');
  live.push(called('c1', 'Read', { file_path: 'a' }));
  assert.equal(live.at(-1).subject, 'a');
  live.free();
});

test('a run keeps its key while it grows, and ids that come again make no second key', () => {
  const live = new LiveCalls({ wire: 'openai_chat', now: null });
  for (let turn = 0; turn < 3; turn++) {
    const call = (index, id, name, args) => ({ index, id, type: 'function', function: { name, arguments: JSON.stringify(args) } });
    live.push({ choices: [{ delta: { tool_calls: [call(0, 'call_0', 'Read', { file_path: `f${turn}` }), call(1, 'call_1', 'Bash', { command: `ls ${turn}` })] }, finish_reason: 'tool_calls' }] });
    live.push({ role: 'tool', tool_call_id: 'call_0', content: 'x' }).push({ role: 'tool', tool_call_id: 'call_1', content: 'x' });
  }
  const keys = live.runs().map((run) => run.key);
  assert.equal(live.size, 6);
  assert.equal(new Set(keys).size, keys.length, keys.join());
  const growing = aiSdk().push(called('c1', 'Read', {}));
  const [{ key }] = growing.runs();
  growing.push(called('c2', 'Read', {}));
  assert.deepEqual(growing.runs().map((run) => [run.key, run.count]), [[key, 2]]);
});

test('the order of groups does not depend on when they are asked for', () => {
  const messages = [
    { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'Working' },
    { sessionUpdate: 'tool_call', toolCallId: 'b', title: 'ls', kind: 'execute', rawInput: { command: 'ls' } },
    { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'x', kind: 'read', rawInput: { path: 'x' } },
    { sessionUpdate: 'tool_call_update', toolCallId: 'a', kind: 'read', rawInput: { path: 'y' } },
  ];
  const [often, once] = [new LiveCalls({ wire: 'acp', now: null }), new LiveCalls({ wire: 'acp', now: null })];
  for (const update of messages) {
    often.push({ sessionId: 's', update }).groups();
    once.push({ sessionId: 's', update });
  }
  const shown = (live) => live.groups().map((group) => [group.value, group.calls.map((call) => call.id)]);
  assert.deepEqual(shown(often), [['Read', ['a', 'c']], ['Run Command', ['b']]]);
  assert.deepEqual(shown(often), shown(once));
});

test('a listener that throws harms neither the stream nor the others', async () => {
  const live = aiSdk();
  let heard = 0;
  const told = [];
  const { reportError } = globalThis;
  globalThis.reportError = (error) => told.push(error.message);
  try {
    live.subscribe(() => { throw new Error('mine'); });
    const leave = live.subscribe(() => heard++);
    live.subscribe(() => heard++);
    live.push(called('c1', 'Read', {}));
    leave();
    await live.read((async function* () { yield answered('c1'); yield 5; yield '{bad'; yield called('c2', 'Bash', {}); })());
  } finally {
    globalThis.reportError = reportError;
  }
  assert.ok(heard >= 3, 'the others hear of the message and of the end');
  assert.ok(told.length >= 2 && told.every((message) => message === 'mine'), told.join());
  assert.deepEqual([live.unreadable, live.at(0).status, live.at(1).label], [2, 'completed', 'Run Command']);
});

test('what is shown cannot be changed', () => {
  const live = aiSdk().push(called('c1', 'Read', { file_path: 'a' }));
  assert.throws(() => { live.at(0).input.path = 'x'; }, TypeError);
  assert.throws(() => { live.groups()[0].count = 9; }, TypeError);
  assert.equal(live.push(new SharedArrayBuffer(8)).size, 1);
});

test('a turn that ends leaves no call running', async () => {
  const live = aiSdk().push(called('c1', 'Read', {})).endTurn();
  assert.equal(live.at(0).status, 'unresolved');
  assert.equal(aiSdk().push(called('c1', 'Read', {})).endTurn({ cancelled: true }).at(0).status, 'cancelled');
  const broken = aiSdk();
  async function* failing() {
    yield called('c1', 'Read', {});
    throw new Error('the line is dead');
  }
  await assert.rejects(broken.read(failing()), /the line is dead/);
  assert.equal(broken.at(0).status, 'cancelled');
});

test('bytes are cut into messages, wherever they are cut themselves', async () => {
  const text = `data: ${JSON.stringify(called('c1', 'Read', { file_path: 'ä€🎈' }))}\n\ndata: no json\n\ndata: ${JSON.stringify(answered('c1'))}\n\ndata: [DONE]\n\n`;
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, bytes.length]) {
    const live = aiSdk({ framing: 'sse' });
    const stream = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    await live.read(stream);
    assert.deepEqual([live.at(0).subject, live.at(0).status, live.unreadable], ['ä€🎈', 'completed', 1]);
  }
  const lines = aiSdk().push(new TextEncoder().encode(`${JSON.stringify(called('c1', 'Read', {}))}\n${JSON.stringify(answered('c1'))}`));
  assert.equal(lines.at(0).status, 'pending', 'a line without an end waits');
  assert.equal(lines.endTurn().at(0).status, 'completed');
});

test('bad input is refused with a typed error, and the next message is read', () => {
  assert.throws(() => new LiveCalls(), (error) => error instanceof ToolprismError && error.kind === 'missing_member');
  assert.throws(() => new LiveCalls({ wire: 'pigeon' }), (error) => error.kind === 'unknown_value' && /ai_sdk/.test(error.message));
  assert.throws(() => new LiveCalls({ wire: 5 }), (error) => error.kind === 'wrong_type');
  assert.throws(() => aiSdk({ framing: 'smoke' }), (error) => error.kind === 'unknown_value');
  const live = aiSdk();
  for (const message of [undefined, null, 5, true, 5n, Symbol('x'), () => {}]) assert.throws(() => live.push(message), TypeError);
  assert.throws(() => live.push('{'), (error) => error.kind === 'not_json');
  assert.throws(() => live.groups(5), TypeError);
  assert.throws(() => live.groups('colour'), (error) => error.kind === 'unknown_value');
  const thrower = { type: 'tool-input-available', get toolCallId() { throw new Error('mine'); } };
  assert.throws(() => live.push(thrower), (error) => error.kind === 'unreadable' && error.cause.message === 'mine');
  const circle = called('c0', 'Read', {});
  circle.input.self = circle;
  live.push(circle);
  live.push({}).push([]).push({ type: 'tool-input-delta', toolCallId: 'nobody', inputTextDelta: '{' });
  live.push(called('c1', 'Read', { file_path: 'a' }));
  assert.equal(live.calls.find((call) => call.id === 'c1').subject, 'a');
});

test('an empty id, one that is used again, and what comes too late', () => {
  const live = aiSdk();
  live.push(called('c1', 'Read', { file_path: 'a' })).push(answered('c1'));
  live.push({ type: 'tool-output-error', toolCallId: 'c1', errorText: 'late' });
  assert.deepEqual([live.at(0).status, live.at(0).flags], ['completed', ['late_event']]);
  live.push(called('', 'Read', { file_path: 'b' }));
  assert.equal(live.size, 1, 'arguments that belong to no call are passed over');
  live.push(answered('nobody'));
  const orphan = live.calls.find((call) => call.id === 'nobody');
  assert.deepEqual([orphan.label, orphan.flags.includes('orphan')], ['Tool', true]);
});

test('an output is shown by its start and end, with exact counts', () => {
  const preview = new OutputPreview({ head_lines: 1, tail_lines: 1 });
  const empty = preview.state;
  assert.deepEqual(empty, { head: '', tail: '', bytes: 0, lines: 0, omitted_bytes: 0, omitted_lines: 0, binary: false, other_blocks: 0 });
  preview.replace('eins\nzwei\n').replace('eins\nzwei\ndrei\nvier ä');
  assert.deepEqual(preview.state, { head: 'eins\n', tail: 'vier ä', bytes: 22, lines: 4, omitted_bytes: 10, omitted_lines: 2, binary: false, other_blocks: 0 });
  assert.equal(preview.state, preview.state);
  preview.append('\nfünf');
  assert.deepEqual([preview.state.tail, preview.state.lines], ['fünf', 5]);
  preview.replace('anders');
  assert.deepEqual([preview.state.head, preview.state.bytes], ['anders', 6]);
});

test('outputs are taken as agents send them, and binary ones are left out', () => {
  const preview = new OutputPreview();
  preview.replace([{ type: 'content', content: { type: 'text', text: 'hello' } }, { type: 'diff', path: 'a', newText: 'x' }]);
  assert.deepEqual([preview.state.head, preview.state.other_blocks], ['hello', 1]);
  preview.append({ type: 'text', text: ' world' });
  assert.equal(preview.state.head, 'hello world');
  assert.deepEqual([new OutputPreview().append('a\u0000b').state.binary, new OutputPreview().append('a\u0000b').state.head], [true, '']);
  const big = new OutputPreview();
  for (let i = 0; i < 2000; i++) big.append(`${'x'.repeat(500)}\n`);
  assert.deepEqual([big.state.bytes, big.state.lines], [2000 * 501, 2000]);
  assert.ok(big.state.head.length <= 16 << 10 && big.state.tail.length <= 24 << 10);
});

test('bad outputs and bounds are refused with a typed error', () => {
  for (const bounds of [{ head_lines: -1 }, { tail_bytes: 'x' }, { head_bytes: 0.5 }]) {
    assert.throws(() => new OutputPreview(bounds), (error) => error instanceof ToolprismError && error.kind === 'wrong_type');
  }
  const preview = new OutputPreview();
  for (const output of [undefined, null, 5, true]) assert.throws(() => preview.append(output), TypeError);
  assert.throws(() => preview.replace({ get content() { throw new Error('mine'); } }), (error) => error.kind === 'unreadable');
  assert.equal(preview.append('still here').state.head, 'still here');
  preview.free();
  assert.throws(() => preview.append('x'), (error) => error.kind === 'freed');
});
