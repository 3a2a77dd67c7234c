// Two pages, built with Vite and with webpack as a user's project would, and opened in a browser; and those of Vite's
// development server.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { build, createServer, preview } from 'vite';
import webpack from 'webpack';
import { expected } from '../answers.mjs';

const pages = {
  index: { page: expected, file: 8, worker: expected, slim: { label: 'Run Command', outcome: 'rewrite' } },
  small: { label: 'Run Command' },
};

/** What the JavaScript of a page may weigh, in gzip. */
const MOST_SCRIPT = 12_000;

const server = { host: '127.0.0.1', port: 0 };
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...quiet] });
try {
  await build();
  await withWebpack('dist-webpack');
  for (const [bundler, outDir] of [['Vite', 'dist'], ['webpack', 'dist-webpack']]) {
    const built = await preview({ preview: server, build: { outDir } });
    await open(`built with ${bundler}`, built.resolvedUrls.local[0]);
    await built.close();
  }
  const live = await (await createServer({ server })).listen();
  await open("Vite's development server", live.resolvedUrls.local[0]);
  await live.close();
} finally {
  await browser.close();
}

/** Nothing is set but what webpack cannot know: which files are the pages', and where the result goes. */
async function withWebpack(outDir) {
  const entry = { main: './main.js', small: './small.js' };
  const stats = await promisify(webpack)({ mode: 'production', entry, output: { path: resolve(outDir) } });
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  // That a file is large, it says of every module of WebAssembly.
  const troubles = [...errors, ...warnings].map(({ message }) => message).filter((message) => !/size limit|performance/.test(message));
  assert.deepEqual(troubles, []);
  for (const name of Object.keys(pages)) copyFileSync(`${name}.html`, `${outDir}/${name}.html`);
}

async function open(what, url) {
  for (const [name, expected] of Object.entries(pages)) {
    const page = await browser.newPage();
    const troubles = [];
    const loaded = new Set();
    const scripts = [];
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
    page.on('request', (request) => request.url().includes('.wasm') && loaded.add(request.url()));
    page.on('response', (response) => /\.js$/.test(response.url()) && !/worker/.test(response.url()) && scripts.push(response.body()));
    await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
    await page.goto(`${url}${name}.html`);
    const body = page.locator('body[data-result]');
    await body.waitFor({ state: 'attached', timeout: 20_000 }).catch((error) => { throw new Error(`${what}: ${troubles.join('; ') || error.message}`); });
    assert.deepEqual(JSON.parse(await body.getAttribute('data-result')), expected);
    assert.deepEqual(troubles, []);
    if (what.startsWith('built')) assert.equal(loaded.size, name === 'small' ? 1 : 3, `${what}, ${name}: ${[...loaded]}`);
    if (what === 'built with Vite') {
      const size = (await Promise.all(scripts)).reduce((sum, script) => sum + gzipSync(script, { level: 9 }).length, 0);
      console.log(`the page ${name} loads ${size} bytes of JavaScript, in gzip`);
      assert.ok(size > 0 && size <= MOST_SCRIPT, `${name}: ${size} bytes`);
    }
    await page.close();
  }
  console.log(`${what}: ok, in Chromium ${browser.version()}`);
}
process.exit(0);
