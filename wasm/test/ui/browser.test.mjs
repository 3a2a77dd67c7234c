// The hooks and the element in a browser, with the packages that they are made for.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { preview } from 'vite';
import axe from 'axe-core';

const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path));

let browser, server, url;
before(async () => {
  server = await preview({ preview: { port: 0 } });
  url = server.resolvedUrls.local[0];
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});
after(async () => {
  await browser?.close();
  await server?.close();
});

/** A part of the page; an error in it fails the test. */
async function open(part, options) {
  const page = await browser.newPage(options);
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && page.faults.push(message.text()));
  await page.goto(`${url}?part=${part}`);
  await page.waitForFunction(() => globalThis.ready);
  return page;
}

async function closed(page) {
  assert.deepEqual(page.faults, []);
  await page.close();
}

const text = (page, id) => page.locator(`#${id}`).textContent();
const shows = (page, id, wanted) => page.waitForFunction(([id, wanted]) => document.getElementById(id)?.textContent === wanted, [id, wanted], { timeout: 10_000 });

test('of a thousand calls, the one that changes is drawn anew', async () => {
  const page = await open('many');
  await shows(page, 'line', 'Reading 500 files, running 500 commands');
  await page.evaluate(() => {
    globalThis.drawn.length = 0;
    globalThis.live.push({ type: 'tool-output-available', toolCallId: 'c7', output: '' });
  });
  await page.waitForFunction(() => globalThis.drawn.length > 0);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.deepEqual((await page.evaluate(() => globalThis.drawn)).sort(), ['c7', 'label:Run Command']);
  await closed(page);
});

test('a stream is read once, and its failure is told', async () => {
  const page = await open('stream');
  await page.waitForSelector('#line', { state: 'attached' });
  await page.evaluate(() => {
    globalThis.send({ type: 'tool-input-start', toolCallId: 'c1', toolName: 'Read' });
    globalThis.send({ type: 'tool-input-available', toolCallId: 'c1', toolName: 'Read', input: { file_path: 'a' } });
  });
  await shows(page, 'calls', 'Reading a (pending)');
  await page.evaluate(() => globalThis.fail('the line is dead'));
  await shows(page, 'error', 'the line is dead');
  assert.equal(await text(page, 'calls'), 'Read a (cancelled)');
  await closed(page);
});

test('a list of messages grows, has items replaced, and is cut', async () => {
  const page = await open('updates');
  await shows(page, 'calls', 'Reading a (pending)');
  await page.evaluate(() => globalThis.setUpdates((known) => [...known, globalThis.messages.answered('c1')]));
  await shows(page, 'calls', 'Read a (completed)');
  await page.evaluate(() => globalThis.setUpdates([globalThis.messages.called('c2', 'Bash', { command: 'ls' })]));
  await shows(page, 'calls', 'Running ls (pending)');
  await page.evaluate(() => globalThis.setUpdates([]));
  await shows(page, 'line', '');
  await closed(page);
});

test('a transition that waits is not rendered over and over, and what cannot be read is passed over', async () => {
  const page = await open('transition');
  await shows(page, 'calls', 'Reading a (pending)');
  await page.evaluate(() => {
    globalThis.renders = 0;
    globalThis.grow();
  });
  await page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
  assert.equal(await text(page, 'calls'), 'Reading a (pending)');
  assert.ok((await page.evaluate(() => globalThis.renders)) < 10);
  await page.evaluate(() => globalThis.goOn(null));
  await shows(page, 'calls', 'Reading a (pending)Running ls (pending)');
  assert.ok((await page.evaluate(() => globalThis.renders)) < 20);
  assert.equal(page.faults.length > 0 && page.faults.every((fault) => /must be an object|could not be read/.test(fault)), true, page.faults.join());
  await page.close();
});

test("the AI SDK's useChat: the path shows while it streams", async () => {
  const page = await open('chat');
  await page.getByRole('button').click();
  await page.waitForFunction(() => globalThis.chunk !== undefined);
  const send = (chunk) => page.evaluate((chunk) => globalThis.chunk(chunk), chunk);
  await send({ type: 'tool-input-start', toolCallId: 'c1', toolName: 'read_file', dynamic: true });
  await send({ type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"target_file":"src/ma' });
  await shows(page, 'calls', 'Reading src/ma (pending)');
  await send({ type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: 'in.rs"}' });
  await send({ type: 'tool-input-available', toolCallId: 'c1', toolName: 'read_file', input: { target_file: 'src/main.rs' }, dynamic: true });
  await send({ type: 'tool-output-available', toolCallId: 'c1', output: 'fn main() {}', dynamic: true });
  await shows(page, 'calls', 'Read src/main.rs (completed)');
  await send({ type: 'tool-input-available', toolCallId: 'c2', toolName: 'bash', input: { command: 'false' }, dynamic: true });
  await send({ type: 'tool-output-error', toolCallId: 'c2', errorText: 'exit 1', dynamic: true });
  await page.evaluate(() => globalThis.finish());
  await shows(page, 'line', 'Read 1 file, ran 1 command, 1 failed');
  await closed(page);
});

test("assistant-ui's thread", async () => {
  const page = await open('assistant');
  await page.waitForSelector('#line', { state: 'attached' });
  await page.evaluate(() => globalThis.ask());
  await shows(page, 'calls', 'Running ls -la (pending)');
  await page.waitForFunction(() => globalThis.goOn !== undefined);
  await page.evaluate(() => globalThis.goOn());
  await shows(page, 'calls', 'Ran ls -la (completed)');
  await closed(page);
});

/** What the element shows. */
const inside = (page, use) => page.locator('tool-calls').evaluate((element, use) => new Function('root', `return ${use}`)(element.shadowRoot), use);

test('the element draws what changes, folds runs, and keeps open what a user has opened', async () => {
  const page = await open('element');
  await page.evaluate(() => {
    const { called, answered } = globalThis.messages;
    globalThis.live.push(called('c1', 'Read', { file_path: 'a' })).push(called('c2', 'Read', { file_path: 'b' })).push(called('c3', 'Bash', { command: 'ls' }));
    globalThis.live.push(answered('c1'));
  });
  await page.getByText('Reading 2 files').waitFor();
  assert.deepEqual(await inside(page, "[...root.querySelectorAll('[part=run]')].map((run) => run.querySelector('details') !== null)"), [true, false]);
  assert.equal(await inside(page, "root.querySelector('[part=run]:last-child code').textContent"), 'ls');
  // By keyboard.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await inside(page, "root.querySelector('details').open"), true);
  await page.evaluate(() => {
    globalThis.kept = document.querySelector('tool-calls').shadowRoot.querySelectorAll('[part=call]')[0];
    globalThis.live.push({ type: 'tool-output-error', toolCallId: 'c2', errorText: 'no such file' });
  });
  await page.getByText('Read 2 files, 1 failed').waitFor();
  assert.equal(await inside(page, "root.querySelector('details').open"), true);
  assert.equal(await page.evaluate(() => document.querySelector('tool-calls').shadowRoot.querySelectorAll('[part=call]')[0] === globalThis.kept), true);
  assert.equal(await inside(page, "root.querySelector('[part=error]').textContent"), 'no such file');
  assert.equal(await inside(page, "root.querySelector('[role=status]').textContent"), '', 'nothing is said while a call runs');
  await page.evaluate(() => globalThis.live.push(globalThis.messages.answered('c3')));
  await page.waitForFunction(() => document.querySelector('tool-calls').shadowRoot.querySelector('[role=status]').textContent === 'Read 2 files, ran 1 command, 1 failed');
  await page.locator('tool-calls').evaluate((element) => element.setAttribute('by', 'all'));
  await page.waitForFunction(() => document.querySelector('tool-calls').shadowRoot.querySelectorAll('[part=run]').length === 1);
  assert.equal(await inside(page, "root.querySelectorAll('[part=call]').length"), 3);
  await page.locator('tool-calls').evaluate((element) => element.setAttribute('fold', '9'));
  await page.waitForFunction(() => document.querySelector('tool-calls').shadowRoot.querySelector('details') === null);
  await closed(page);
});

test('the element takes what it is given', async () => {
  const page = await open('element');
  const refused = await page.evaluate(() => {
    const element = document.querySelector('tool-calls');
    element.setAttribute('by', 'colour');
    return [{}, 5, [], { live: {} }].map((source) => {
      try {
        element.source = source;
      } catch (error) {
        return error instanceof TypeError && error.message.includes('tool-calls');
      }
      return false;
    });
  });
  assert.deepEqual(refused, [true, true, true, true]);
  await page.evaluate(() => globalThis.live.push(globalThis.messages.called('c1', 'Read', { file_path: 'a' })));
  await page.getByText('Reading', { exact: true }).waitFor();
  await closed(page);
});

test('what calls hold is shown as text, and both themes can be read', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const page = await open('element', { colorScheme });
    await page.evaluate((dark) => {
      document.body.style.cssText = dark ? 'background:#111;color:#eee' : 'background:#fff;color:#111';
      document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
      const { called } = globalThis.messages;
      globalThis.live.push(called('x', 'Bash', { command: '<img src=x onerror=globalThis.hit=1>\u202e' + 'y'.repeat(5000) }));
      globalThis.live.push({ type: 'tool-output-error', toolCallId: 'x', errorText: '<script>globalThis.hit=1</script>' });
      globalThis.live.push(called('z', '<b>tool</b>', {}));
    }, colorScheme === 'dark');
    await page.getByText('Ran', { exact: true }).waitFor();
    assert.equal(await page.evaluate(() => globalThis.hit), undefined);
    assert.equal(await inside(page, "root.querySelector('img, script, b')"), null);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'a long command does not widen the page');
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).map(({ id, nodes }) => [id, nodes[0].html]), []);
    await closed(page);
  }
});
