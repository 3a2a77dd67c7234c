// The example page: genuine sessions of six agents, replayed through the hook and the element.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { preview } from 'vite';

const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path));

/** For each session its groups, as the program gives them for the same file, and the line for all of its calls. */
const SESSIONS = {
  grok_build: {
    groups: ['List Files 2', 'Read 8 6 failed', 'Search 4', 'Write 2', 'Edit 6 2 failed', 'Run Command 6', 'Background Task 2 2 failed', 'Plan 2', 'Web Fetch 2 2 failed', 'Web Search 2 2 failed', 'Search Tools 2', 'Use Tool 4 2 failed', 'Tool 8 2 failed', 'Workflow 2 2 failed', 'Generate Image 2 2 failed', 'Kill Task 2 2 failed', 'Subagent 2 2 failed', 'Enter Plan Mode 2', 'Exit Plan Mode 2 2 failed'],
    line: 'Listed 1 folder, read 5 files, searched 4 times, wrote 1 file, edited 2 files, ran 6 commands, checked 2 background tasks, updated the plan 2 times, fetched 2 pages, searched the web 2 times, searched tools 2 times, used 12 tools, ran 2 workflows, generated 2 images, stopped 2 tasks, ran 2 subagents, entered plan mode 2 times, left plan mode 2 times, 28 failed',
  },
  claude_code: {
    groups: ['Read 7 4 failed', 'List Files 4 4 failed', 'Search 1 1 failed', 'Write 1', 'Edit 3 2 failed', 'Run Command 2 1 failed', 'Plan 2 1 failed', 'Web Fetch 1 1 failed', 'Web Search 1', 'Tool 3 2 failed', 'Skill 1 1 failed', 'Search Tools 1 1 failed', 'Subagent 2'],
    line: 'Read 3 files, listed 1 folder, searched, wrote 1 file, edited 2 files, ran 2 commands, updated the plan 2 times, fetched 1 page, searched the web, used 3 tools, used a skill, searched tools, ran 2 subagents, 18 failed',
  },
  gemini_cli: {
    groups: ['List Files 2', 'Read 3 2 failed', 'Search 1', 'Write 1 1 failed', 'Edit 2 1 failed', 'Run Command 2', 'Background Task 2 1 failed', 'Web Search 1', 'Web Fetch 1 1 failed', 'Plan 1', 'Tool 1', 'Skill 1', 'Subagent 1'],
    line: 'Listed 2 folders, read 3 files, searched, wrote 1 file, edited 2 files, ran 2 commands, checked 2 background tasks, searched the web, fetched 1 page, updated the plan, used a tool, used a skill, ran a subagent, 6 failed',
  },
  opencode: {
    groups: ['Read 4 2 failed', 'Search 1 1 failed', 'List Files 1 1 failed', 'Write 1', 'Edit 2 1 failed', 'Run Command 2', 'Web Fetch 1 1 failed', 'Plan 1', 'Tool 3 2 failed', 'Skill 1 1 failed', 'Subagent 1'],
    line: 'Read 4 files, searched, listed 1 folder, wrote 1 file, edited 1 file, ran 2 commands, fetched 1 page, updated the plan, used 3 tools, used a skill, ran a subagent, 9 failed',
  },
  qwen_code: {
    groups: ['Search 2', 'List Files 2', 'Write 2 1 failed', 'Edit 4 4 failed', 'Run Command 2', 'Web Fetch 2 2 failed', 'Tool 7 5 failed', 'Skill 3 3 failed', 'Read 3 3 failed', 'Subagent 2 1 failed', 'Search Tools 2'],
    line: 'Searched 2 times, listed 2 folders, wrote 1 file, edited 1 file, ran 2 commands, fetched 2 pages, used 7 tools, used 3 skills, read 3 files, ran 2 subagents, searched tools 2 times, 19 failed',
  },
  copilot_cli: {
    groups: ['Read 9 5 failed', 'Search 2', 'Write 1', 'Edit 2 1 failed', 'Run Command 4', 'Tool 5 2 failed'],
    line: 'Read 9 files, searched 2 times, wrote 1 file, edited 1 file, ran 4 commands, used 5 tools, 8 failed',
  },
};

let browser, server, url;
before(async () => {
  server = await preview({ root: 'wasm/example', preview: { port: 0 } });
  url = server.resolvedUrls.local[0];
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});
after(async () => {
  await browser?.close();
  await server?.close();
});

async function open(session, options) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, ...options });
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && page.faults.push(message.text()));
  page.on('request', (request) => new URL(request.url()).origin === new URL(url).origin || page.faults.push(`asks ${request.url()}`));
  await page.goto(`${url}?session=${session}`);
  await page.getByRole('button', { name: 'Step' }).and(page.locator(':enabled')).waitFor();
  return page;
}

async function picture(page, name) {
  if (process.env.TOOLPRISM_PICTURES) await page.screenshot({ path: join(process.env.TOOLPRISM_PICTURES, `${name}.png`), fullPage: true });
}

for (const [session, expected] of Object.entries(SESSIONS)) {
  test(`${session} is shown to its end`, async () => {
    const page = await open(session);
    await page.getByRole('button', { name: 'To the end' }).click();
    await page.getByRole('button', { name: 'To the end' }).and(page.locator(':disabled')).waitFor();
    const groups = await page.getByTestId('groups').locator('li').allTextContents();
    const calls = await page.getByTestId('hook').locator('.call').evaluateAll((rows) => rows.map((row) => row.dataset.status));
    await page.waitForFunction((count) => document.querySelector('tool-calls').shadowRoot.querySelectorAll('[part=call]').length === count, calls.length);
    const states = await page.locator('tool-calls').evaluate((element) => [...element.shadowRoot.querySelectorAll('[part=call]')].map((row) => row.dataset.state));
    assert.deepEqual(groups, expected.groups);
    assert.equal(await page.getByTestId('line').textContent(), expected.line);
    assert.deepEqual(states, calls, 'the hook and the element show the same');
    assert.equal(calls.some((status) => status === 'pending' || status === 'in_progress'), false, 'nothing runs after the end');
    await picture(page, `chat-${session}`);
    assert.deepEqual(page.faults, []);
    await page.close();
  });
}

test('the path shows while it streams, and only what changes is drawn', async () => {
  const page = await open('grok_build', { colorScheme: 'dark' });
  const seen = await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const seen = [];
    for (let i = 0; i < 60; i++) {
      globalThis.step(1);
      await frame();
      const subject = document.querySelector('.call .subject')?.textContent;
      if (subject && seen.at(-1) !== subject) seen.push(subject);
    }
    return seen;
  });
  assert.ok(seen.length >= 3, `the first call's path grows: ${seen}`);
  seen.reduce((before, now) => {
    assert.ok(now.startsWith(before), `${now} takes nothing of ${before} back`);
    return now;
  });
  const [fewest, calls] = await page.evaluate(() => {
    const before = new Map(globalThis.drawn);
    return new Promise((done) => {
      globalThis.step(1);
      setTimeout(() => done([[...globalThis.drawn].filter(([at, count]) => before.get(at) !== count).length, globalThis.drawn.size]), 200);
    });
  });
  assert.ok(fewest <= 1 && calls > 1, `one message draws ${fewest} of ${calls} rows`);
  await picture(page, 'chat-streaming-dark');
  assert.deepEqual(page.faults, []);
  await page.close();
});

test('the page can be used by everyone, on any screen', async () => {
  for (const [width, colorScheme] of [[1200, 'light'], [360, 'dark']]) {
    const page = await open('qwen_code', { viewport: { width, height: 800 }, colorScheme });
    await page.getByRole('button', { name: 'To the end' }).click();
    await page.getByTestId('line').filter({ hasText: 'ran 2 commands' }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `no sideways scrolling at ${width}`);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).map(({ id, nodes }) => [id, nodes[0].html]), []);
    await picture(page, `chat-${width}-${colorScheme}`);
    await page.close();
  }
});
