// A program for Node as one file, as it is sent to where functions run: it works with nothing beside it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expected } from '../answers.mjs';

const folder = mkdtempSync(join(tmpdir(), 'toolprism-'));
try {
  for (const [format, name] of [['esm', 'main.mjs'], ['cjs', 'main.cjs']]) {
    const outfile = join(folder, name);
    await build({ entryPoints: ['main.js'], outfile, bundle: true, platform: 'node', format, logLevel: 'warning' });
    assert.deepEqual(JSON.parse(execFileSync(process.execPath, [outfile], { encoding: 'utf8' })), expected);
  }
  console.log('a program for Node as one file: ok');
} finally {
  rmSync(folder, { recursive: true });
}
