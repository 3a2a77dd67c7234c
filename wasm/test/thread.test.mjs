import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import { answers, expected } from './answers.mjs';

test('it works in worker threads, several at once, and beside them', async () => {
  const threads = [1, 2, 3].map(() => new Worker(new URL('./thread.js', import.meta.url)));
  const messages = Promise.all(threads.map((thread) => once(thread, 'message')));
  assert.deepEqual(answers(), expected);
  for (const [answer] of await messages) assert.deepEqual(answer, expected);
});
