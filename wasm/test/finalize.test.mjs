import assert from 'node:assert/strict';
import test from 'node:test';
import { finalize, Finalizer } from 'toolprism';

const question = { input: '{"path": "a.txt", "limit": "40",}', schema: { properties: { limit: { type: 'integer' } } } };

test('a call is mended, passed or refused', () => {
  const mended = finalize(question);
  assert.equal(mended.outcome, 'rewrite');
  assert.equal(mended.args, '{"path":"a.txt","limit":40}');
  assert.deepEqual(mended.changes.map((change) => change.code), ['string_to_number', 'trailing_comma']);
  assert.equal(finalize({ input: '{}' }).outcome, 'pass');
  const refused = finalize({ input: '{"command": "rm -rf ./build' });
  assert.equal(refused.outcome, 'reject');
  assert.equal(refused.fault.code, 'truncated_string');
});

test('options are obeyed, by the function as by the class', () => {
  const options = { without: ['trailing_comma'] };
  assert.equal(finalize(question, options).fault.change, 'trailing_comma');
  assert.deepEqual(new Finalizer(options).finalize(question), finalize(question, options));
  assert.equal(finalize({ input: '{"command": "ls' }, { profile: 'reference' }).outcome, 'rewrite');
  for (let i = 0; i < 20; i++) assert.equal(finalize(question, { max_args_bytes: i + 1 }).reason, 'args_too_large');
});
