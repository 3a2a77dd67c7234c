// Schemas of zod: told as JSON Schema, and asked themselves once the arguments are read.
import assert from 'node:assert/strict';
import test from 'node:test';
import { defineTool, Registry } from 'toolprism/contract';
import * as z from 'zod';

const input = z.object({
  path: z.string().transform((path) => path.trim()),
  lines: z.int().min(1).default(10),
  mode: z.enum(['fast', 'slow']).optional(),
  edits: z.array(z.strictObject({ line: z.number() })).default([]),
}).refine(({ path }) => path !== '/', { message: 'not the root', path: ['path'] });

const call = (schema, args, more = {}) =>
  new Registry([defineTool({ id: 't', input: schema, run: (given) => given, ...more })]).call({ name: 't', arguments: args });
const problems = async (schema, args) =>
  (await call(schema, args)).error.details.problems.map(({ path, category, hint }) => [path, category, hint]);

test('the schema is what zod takes, and the function gets what zod makes of it', async () => {
  const tool = defineTool({ id: 't', input, run: () => 1 });
  assert.deepEqual(tool.schema, z.toJSONSchema(input, { io: 'input' }));
  assert.deepEqual(tool.schema.required, ['path']);
  const { output, changes } = await call(input, '{"path": " a ", "edits": {"line": "5"}}');
  assert.deepEqual(output.value, { path: 'a', lines: 10, edits: [{ line: 5 }] });
  assert.deepEqual(changes.map((change) => change.code), ['wrap_single', 'string_to_number']);
});

test('what zod refuses is invalid_arguments, with its place', async () => {
  assert.deepEqual(await problems(input, { path: '/' }), [['/path', 'params_constraint', 'not the root']]);
  assert.deepEqual((await problems(input, { path: 'a', mode: 'fats' })).map((one) => one.slice(0, 2)), [['/mode', 'params_unknown_variant']]);
  // Where the schema says less than zod knows.
  const loose = { toJSONSchema: () => ({ type: 'object' }) };
  const { error } = await call(input, { lines: 'x', mode: 'other', edits: [{ line: 1, more: 2 }] }, loose);
  assert.deepEqual(error.details.problems.map(({ path, category }) => [path, category]), [
    ['/path', 'params_missing_field'],
    ['/lines', 'params_type'],
    ['/mode', 'params_unknown_variant'],
    ['/edits/0/more', 'params_unknown_field'],
  ]);
  const strange = z.object({ 'a/b~c': z.string().min(3) });
  assert.deepEqual((await call(strange, { 'a/b~c': 'x' }, loose)).error.details.problems[0].path, '/a~1b~0c');
  const waits = z.object({ n: z.number().refine(async (n) => n > 5, 'more than 5') });
  assert.deepEqual(await problems(waits, { n: 3 }), [['/n', 'params_constraint', 'more than 5']]);
});

test('a schema that has no JSON Schema is refused where the tool is made', () => {
  assert.throws(() => defineTool({ id: 't', input: z.object({ n: z.bigint() }), run: () => 1 }));
});
