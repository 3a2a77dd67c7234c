// The built page in a browser, as a user has it.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { preview } from 'vite';

const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path));

let browser, server;
export let url;

export async function start() {
  server = await preview({ preview: { port: 0, host: '127.0.0.1' }, logLevel: 'error' });
  url = server.resolvedUrls.local[0];
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

export async function stop() {
  await browser?.close();
  await server?.close();
}

/** A page of its own profile. What must never happen is kept in `faults`: errors, breaches of the policy, requests to elsewhere. */
export async function open(hash = '', options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'], ...options });
  const page = await context.newPage();
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(error.message));
  page.on('dialog', (dialog) => page.faults.push(`dialog ${dialog.message()}`));
  page.on('console', (message) => message.type() === 'error' && page.faults.push(message.text()));
  const isOwn = (asked) => asked.startsWith(url) || asked.startsWith(`blob:${url}`);
  context.on('request', (request) => isOwn(request.url()) || page.faults.push(`asks ${request.url()}`));
  await page.goto(url + hash);
  await page.locator('h1:visible').waitFor();
  return page;
}

/** A session of Claude Code: each call as `{name, input}`, with `result` or `error`. */
export function log(calls, session = 's1') {
  return calls
    .flatMap(({ name, input, result = 'done', error = false }, at) => {
      const timestamp = new Date(Date.UTC(2026, 10, 30, 10) + at * 2000).toISOString();
      const told = { sessionId: session, timestamp, version: '2.1.0' };
      return [
        { ...told, type: 'assistant', uuid: `${session}-a${at}`, message: { role: 'assistant', content: [{ type: 'tool_use', id: `${session}-t${at}`, name, input }] } },
        { ...told, type: 'user', uuid: `${session}-u${at}`, message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `${session}-t${at}`, is_error: error, content: result }] } },
      ];
    })
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');
}
