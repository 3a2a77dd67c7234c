// Builds the page with Vite as a user's project would, and opens it, and its development server's, in a browser.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { build, createServer, preview } from 'vite';

const server = { host: '127.0.0.1', port: 0 };
await build();
const assets = readdirSync('dist/assets');
assert.equal(assets.filter((name) => /^identity.*\.wasm$/.test(name)).length, 1, String(assets));

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...quiet] });
try {
  const built = await preview({ preview: server });
  await open('the built page', built.resolvedUrls.local[0], (loaded) => {
    // The page itself judges no calls: only its worker loads that module.
    assert.equal(loaded.filter((name) => name.startsWith('finalize')).length, 1, String(loaded));
  });
  await built.close();
  const live = await (await createServer({ server })).listen();
  await open('the development server', live.resolvedUrls.local[0], () => {});
  await live.close();
} finally {
  await browser.close();
}

async function open(what, url, check) {
  const page = await browser.newPage();
  const troubles = [];
  const loaded = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('request', (request) => request.url().includes('.wasm') && loaded.push(request.url().split('/').pop()));
  await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
  await page.goto(url);
  const body = page.locator('body[data-result]');
  await body.waitFor({ state: 'attached', timeout: 20_000 }).catch((error) => { throw new Error(`${what}: ${troubles.join('; ') || error.message}`); });
  assert.deepEqual(JSON.parse(await body.getAttribute('data-result')), {
    label: 'Run Command', input: { command: 'echo 日本' }, bytes: 8, worker: { label: 'Run Command', outcome: 'rewrite' },
  });
  assert.deepEqual(troubles, []);
  check(loaded);
  console.log(`${what}: ok, in Chromium ${browser.version()}`);
  await page.close();
}
process.exit(0);
