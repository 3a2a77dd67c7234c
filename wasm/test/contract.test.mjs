// Tools that are defined in JavaScript: the cases that every face runs, and what is JavaScript's own.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { defineTool, Output, Registry, ToolError, ToolprismError } from 'toolprism/contract';

const folder = join(process.env.TOOLPRISM_ROOT, 'conformance');
const lines = readFileSync(join(folder, 'contract.jsonl'), 'utf8').trimEnd().split('\n');

/** Integers that the language's own numbers cannot hold. */
const ROUNDED = /"arguments":[^,]*\D\d{16,}/;

/** A tool of a case: it notes its arguments, tells the case's progress, and ends as the case says. */
function toolOf({ id, namespace, kind, description, schema, read_only: readOnly }, { progress = [], end = { output: 'done' } }, seen) {
  const { output, error, problems, type, prompt, is_error: isError, content } = end;
  const input = problems && {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => {
        seen.push(value);
        return { issues: problems.map(({ path, hint }) => ({ path: path.slice(1).split('/'), message: hint })) };
      },
    },
  };
  return defineTool({
    id, namespace, kind, description, readOnly,
    input: input ?? schema,
    toJSONSchema: () => schema,
    async *run(args) {
      seen.push(args);
      yield* progress;
      if (error) throw new ToolError(error.kind, error.message, { details: error.details });
      return new Output(output, { type, prompt, isError, content });
    },
  });
}

test('the cases of all faces', async () => {
  assert.equal(lines.length, JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).contract);
  let skipped = 0;
  for (const line of lines) {
    const one = JSON.parse(line);
    // A generator of JavaScript always returns something.
    if (ROUNDED.test(line) || (one.end && Object.keys(one.end).length === 0)) {
      skipped++;
      continue;
    }
    const seen = [];
    const registry = new Registry();
    for (const tool of one.tools) registry.add(toolOf(tool, one, seen), { name: tool.name, parameters: tool.parameters });
    const told = [];
    const { updates, ...outcome } = await registry.call({ id: 'c1', ...one.call }, { onUpdate: (update) => told.push(update) });
    assert.deepEqual({ outcome, updates }, { outcome: one.expect.outcome, updates: one.expect.updates }, one.id);
    assert.deepEqual(told, updates, one.id);
    assert.deepEqual(seen, one.expect.run ? [JSON.parse(one.expect.run.arguments)] : [], one.id);
    registry.free();
  }
  assert.ok(skipped < 15, `${skipped} skipped`);
});

const any = { type: 'object' };
const only = async (tool, request = {}, options) => new Registry([defineTool({ id: 't', ...tool })]).call({ name: 't', ...request }, options);

test('integers that would be rounded are refused, with their place', async () => {
  for (const [text, path] of [['{"a":[9007199254740993]}', '/a/0'], ['{"a":-9007199254740992}', '/a']]) {
    const { error, updates } = await only({ input: any, run: () => assert.fail('it is not run') }, { arguments: text });
    assert.equal(error.kind, 'invalid_arguments');
    assert.equal(error.details.problems[0].path, path);
    assert.equal(updates.at(-1).status, 'failed');
  }
  const { output } = await only({ input: any, run: ({ a }, { argumentsText }) => [a, argumentsText] }, { arguments: '{"a":9007199254740991}' });
  assert.deepEqual(output.value, [9007199254740991, '{"a":9007199254740991}']);
});

test('functions and generators, sync or not, give an output', async () => {
  const wanted = { type: 'Dynamic', value: { n: 1 } };
  const given = { n: 1 };
  for (const run of [
    () => given,
    async () => given,
    function* () { yield 'a'; return given; },
    async function* () { yield 'a'; return given; },
    async function* () { yield 'a'; yield new Output(given); assert.fail('nothing is run after the end'); },
    () => (async function* () { return new Output(given); })(),
  ]) {
    const { output, is_error, updates } = await only({ run });
    assert.deepEqual([output, is_error], [wanted, false], String(run));
    const progress = updates.flatMap((update) => update._meta['toolprism/progress'] ?? []);
    assert.equal(progress.length, String(run).includes("yield 'a'") ? 1 : 0);
  }
  assert.deepEqual((await only({ run: () => {} })).output, { type: 'Done', value: null });
});

test('whatever a tool throws, or gives that is no JSON, is a typed error of its call', async () => {
  const circle = {};
  circle.self = circle;
  let deep = 1;
  for (let level = 0; level < 300; level++) deep = [deep];
  const poison = { toString() { throw new Error('no'); } };
  for (const [run, kind, message] of [
    [() => { throw new TypeError('wrong'); }, 'execution', /^TypeError: wrong$/],
    [async () => { throw 'text'; }, 'execution', /^text$/],
    [async () => { throw undefined; }, 'execution', /^undefined$/],
    [() => { throw poison; }, 'execution', /no text/],
    [() => Promise.reject(new ToolError('not_found', 'gone')), 'not_found', /^gone$/],
    [async function* () { yield 'a'; throw new ToolError('disk_full', 'no room'); }, 'custom', /^no room$/],
    [() => circle, 'execution', /cannot be written as JSON/],
    [() => 10n, 'execution', /cannot be written as JSON/],
    [() => () => {}, 'execution', /cannot be written as JSON: it is a function/],
    [() => deep, 'execution', /nested more than 120 levels deep/],
    [() => '\ud800', 'execution', /cannot be written as JSON/],
    [function* () { yield { kind: 'nonsense' }; }, 'execution', /nonsense/],
    [function* () { yield 5n; }, 'execution', /BigInt/],
  ]) {
    const { error, output, is_error, prompt, updates } = await only({ run });
    assert.equal(error.kind, kind, String(run));
    assert.match(prompt, message);
    assert.deepEqual([output, is_error, updates.at(-1).status], [null, true, 'failed']);
  }
});

test('a signal ends the call, and generators clean up', async () => {
  let cleaned = false;
  const controller = new AbortController();
  const run = async function* (_, { signal }) {
    try {
      yield 'half';
      setTimeout(() => controller.abort());
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    } finally {
      cleaned = true;
    }
  };
  const { error, updates } = await only({ run }, {}, { signal: controller.signal });
  assert.equal(error.kind, 'cancelled');
  assert.deepEqual(updates.map((update) => update.status), ['pending', 'in_progress', 'in_progress', 'failed']);
  await new Promise((resolve) => setTimeout(resolve));
  assert.ok(cleaned);

  const late = new AbortController();
  setTimeout(() => late.abort(new DOMException('too late', 'TimeoutError')), 1);
  const never = await only({ run: () => new Promise(() => {}) }, {}, { signal: late.signal });
  assert.equal(never.error.kind, 'timeout');
  const before = await only({ run: () => assert.fail('it is not run') }, {}, { signal: AbortSignal.abort() });
  assert.deepEqual([before.error.kind, before.updates.length], ['cancelled', 2]);
});

test('generators clean up at an output, and nothing listens to a signal that is no longer asked', async () => {
  let cleaned = 0;
  let listeners = 0;
  const signal = new AbortController().signal;
  const counted = new Proxy(signal, {
    get(_, name) {
      if (name === 'addEventListener') listeners++;
      if (name === 'removeEventListener') listeners--;
      const member = signal[name];
      return typeof member === 'function' ? member.bind(signal) : member;
    },
  });
  for (const run of [
    function* () { try { yield new Output(1); } finally { cleaned++; } },
    async function* () { try { yield new Output(1); } finally { cleaned++; } },
  ]) {
    assert.equal((await only({ run }, {}, { signal: counted })).prompt, '1');
  }
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual([cleaned, listeners], [2, 0]);
});

test('a tool is what its function calls this', async () => {
  assert.equal((await only({ word: 'mine', run() { return this.word; } })).prompt, 'mine');
});

test("a listener's error is the caller's, and the registry stays usable", async () => {
  const registry = new Registry([defineTool({ id: 't', run: () => 1 })]);
  const listener = { onUpdate() { throw new RangeError('mine'); } };
  await assert.rejects(registry.call({ name: 't' }, listener), RangeError);
  assert.equal((await registry.call({ name: 't' })).is_error, false);
});

test('calls of one registry run side by side, even with one id', async () => {
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const registry = new Registry([defineTool({ id: 't', async run({ n }) { await wait(9 - n); return n; } })]);
  const results = await Promise.all([1, 2, 3, 4].map((n) => registry.call({ id: 'same', name: 't', arguments: { n } })));
  assert.deepEqual(results.map((result) => result.output.value), [1, 2, 3, 4]);
});

test('tools are listed as providers take them', () => {
  const registry = new Registry([
    defineTool({ id: 'view', kind: 'read', description: 'Views ${{ params.path }}.', input: { type: 'object', properties: { path: { type: 'string' } } }, run: () => 1 }),
  ]);
  const properties = { path: { type: 'string' } };
  const [name, description] = ['view', 'Views path.'];
  assert.deepEqual(registry.list(), [
    { key: 'dynamic:view', name, description, kind: 'read', read_only: true, schema: { type: 'object', properties } },
  ]);
  const schema = { type: 'object', properties, required: [] };
  assert.deepEqual(registry.list('anthropic'), [{ name, description, input_schema: schema }]);
  assert.deepEqual(registry.list('gemini'), [{ name, description, parametersJsonSchema: schema }]);
  assert.deepEqual(registry.list('mcp'), [{ name, description, inputSchema: schema, annotations: { readOnlyHint: true } }]);
  const strict = { type: 'object', properties: { path: { type: ['string', 'null'] } }, required: ['path'], additionalProperties: false };
  assert.deepEqual(registry.list('openai'), [{ type: 'function', name, description, parameters: strict, strict: true }]);
  assert.throws(() => registry.list('other'), { name: 'ToolprismError', kind: 'wrong_type' });
});

test('what is no tool is refused, and nothing is changed', () => {
  const registry = new Registry([defineTool({ id: 't', run: () => 1 })]);
  const refused = (tool, options, message) =>
    assert.throws(() => registry.add(defineTool({ run: () => 1, ...tool }), options), { kind: 'bad_tool', message });
  refused({ id: 't' }, {}, /registered already/);
  refused({ id: 'a b' }, {}, /no name/);
  refused({ id: 'u', namespace: 'other' }, { name: 't' }, /another name/);
  refused({ id: 'u', kind: 'reed' }, {}, /no kind "reed"/);
  refused({ id: 'u', input: { type: 'strin' } }, {}, /schema cannot be used/);
  refused({ id: 'u', input: { type: 'array' } }, {}, /no object/);
  refused({ id: 'u', description: '${{ params.x }}' }, {}, /parameter "x"/);
  refused({ id: 'u' }, { parameters: { a: 'b' } }, /parameter/);
  assert.throws(() => registry.add({ id: 5 }), ToolprismError);
  assert.throws(() => defineTool({ id: 'u' }), TypeError);
  assert.throws(() => defineTool({ id: 'u', input: { '~standard': {} }, run: () => 1 }), /toJSONSchema/);
  assert.deepEqual(registry.list().map((tool) => tool.key), ['dynamic:t']);
});
