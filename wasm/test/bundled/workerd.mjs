// A Worker, bundled as wrangler does it (an imported `.wasm` stays a module of its own) and served by workerd.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import workerd from 'workerd';
import { expected } from '../answers.mjs';

mkdirSync('dist');
const modules = new Set();
const compiledWasm = {
  name: 'compiled-wasm',
  setup: (build) => build.onResolve({ filter: /\.wasm$/ }, async ({ path, kind, resolveDir, pluginData }) => {
    if (pluginData === 'asked') return undefined;
    const found = await build.resolve(path, { kind, resolveDir, pluginData: 'asked' });
    const name = basename(found.path);
    copyFileSync(found.path, `dist/${name}`);
    modules.add(name);
    return { path: `./${name}`, external: true };
  }),
};
await build({
  entryPoints: ['worker.js'], outfile: 'dist/worker.js', bundle: true, format: 'esm', logLevel: 'warning',
  conditions: ['workerd', 'worker', 'browser'], plugins: [compiledWasm],
});
assert.deepEqual([...modules].sort(), ['finalize.wasm', 'identity.wasm', 'ledger.wasm']);

const list = [...modules].map((name) => `(name = "${name}", wasm = embed "${name}")`).join(', ');
writeFileSync('dist/config.capnp', `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "worker.js"), ${list}],
    compatibilityDate = "2026-01-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`);
const server = spawn(workerd.default, ['serve', '--control-fd=3', 'dist/config.capnp'], { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
try {
  const [line] = await Promise.race([
    once(createInterface(server.stdio[3]), 'line'),
    once(server, 'exit').then(([code]) => { throw new Error(`workerd ended with ${code}`); }),
  ]);
  const response = await fetch(`http://127.0.0.1:${JSON.parse(line).port}/`);
  assert.deepEqual(await response.json(), expected);
  console.log('a Worker in workerd: ok');
} finally {
  server.kill();
}
