// What a page loads for the first call may not grow unnoticed. (Its JavaScript is weighed as a bundler makes it, in `app/`.)
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { gzipSync } from 'node:zlib';

test('the module that identifies calls is small', () => {
  const module = readFileSync(new URL(import.meta.resolve('toolprism/wasm')));
  const size = gzipSync(module, { level: 9 }).length;
  assert.ok(size > 10_000 && size <= 120_000, `${size} bytes in gzip`);
});
