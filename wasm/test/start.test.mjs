// The README's three-line start, as it stands there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';

const readme = readFileSync(new URL('./node_modules/toolprism/README.md', import.meta.url), 'utf8');

test('the first lines of the README do what they say', () => {
  const start = readme.match(/```js\n([^]*?)```/)[1];
  assert.equal(start.trimEnd().split('\n').length, 3);
  writeFileSync(new URL('./start.mjs', import.meta.url), start);
  const printed = execFileSync(process.execPath, ['start.mjs'], { cwd: new URL('.', import.meta.url), encoding: 'utf8' });
  assert.equal(printed.trim(), start.match(/\/\/ (.*)/)[1]);
});

test('the package can be required as well, where Node can do that', (t) => {
  if (!process.features.require_module) return t.skip('this Node cannot require modules');
  const { identify } = createRequire(import.meta.url)('toolprism');
  assert.equal(identify({ name: 'Bash', harness: 'claude_code' }).label, 'Run Command');
});
