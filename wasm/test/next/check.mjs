// `node check.mjs`: an app of Next.js with nothing set, built with each of its bundlers, started, and asked in every place
// where its code runs: on the server, in the edge runtime, in the browser.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { expected } from './answers.mjs';

const next = createRequire(import.meta.url).resolve('next/dist/bin/next');
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...quiet] });
try {
  for (const bundler of ['--turbopack', '--webpack']) {
    rmSync('.next', { recursive: true, force: true });
    const { status, stdout, stderr } = spawnSync(process.execPath, [next, 'build', bundler], { env, encoding: 'utf8' });
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    await started((url) => ask(url, bundler.slice(2)));
  }
} finally {
  await browser.close();
}

async function started(use) {
  const server = spawn(process.execPath, [next, 'start', '-H', '127.0.0.1', '-p', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let url;
    for await (const line of createInterface(server.stdout)) {
      url ??= line.match(/http:\/\/127\.0\.0\.1:\d+/)?.[0];
      if (line.includes('Ready')) break;
    }
    await use(url);
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}

async function ask(url, bundler) {
  const response = await fetch(`${url}/edge`);
  assert.equal(response.status, 200, await response.clone().text());
  assert.deepEqual(await response.json(), expected);
  const page = await browser.newPage();
  const troubles = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
  await page.goto(url);
  const client = page.locator('#client[data-here]');
  await client.waitFor({ state: 'attached', timeout: 20_000 }).catch((error) => { throw new Error(troubles.join('; ') || error.message); });
  const texts = [page.locator('#server').textContent(), client.getAttribute('data-rendered'), client.getAttribute('data-here')];
  for (const text of await Promise.all(texts)) assert.deepEqual(JSON.parse(text), expected);
  assert.deepEqual(troubles, []);
  await page.close();
  console.log(`Next.js with ${bundler}: ok, on the server, at the edge and in Chromium ${browser.version()}`);
}
