// A log, from dropping it to one call of it.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { preview } from 'vite';
import { drop, figures, file, found, groups, log, open, pick, picture, ready, sample, url } from './page.mjs';

const samples = join(process.cwd(), '../samples');

/** As `toolprism groups` says of the same files. */
const SAMPLES = {
  'Claude Code': { calls: '29', failed: '18', first: ['Read', '7', '4'] },
  Codex: { calls: '40', failed: '20', first: ['Run Command', '14', '7'] },
  'Grok Build': { calls: '62', failed: '28', first: ['Read', '8', '6'] },
  OpenCode: { calls: '18', failed: '7', first: ['Tool', '4', '3'] },
  'Gemini CLI': { calls: '22', failed: '7', first: ['Tool', '4', '2'] },
  ACP: { calls: '37', failed: '15', first: ['Read', '7', '4'] },
};

for (const [name, expected] of Object.entries(SAMPLES)) {
  test(`the sample of ${name}`, async () => {
    const page = await open();
    await sample(page, name);
    const { Calls, Failed } = await figures(page);
    assert.deepEqual([Calls, Failed], [expected.calls, expected.failed]);
    assert.deepEqual((await groups(page))[0], expected.first);
    await picture(page, `session-${name.toLowerCase().replaceAll(' ', '-')}`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

test('calls are grouped, narrowed down, searched and filtered', async () => {
  const page = await open();
  await sample(page, 'Claude Code');
  await found(page, '29 calls');
  await page.getByRole('button', { name: 'Fold runs' }).click();

  await page.getByTestId('groups').getByRole('button', { name: 'Read', exact: true }).click();
  await found(page, '7 of 29 calls');
  assert.ok((await page.locator('.line .label').allTextContents()).every((label) => label === 'Read'));
  assert.equal((await groups(page)).length, 13, 'the other groups stay to be chosen');

  await page.getByLabel('Status').selectOption('failed');
  await found(page, '4 of 29 calls');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await found(page, '29 calls');

  await page.getByLabel('Search calls').fill('NEW.py write');
  await found(page, '1 of 29 calls');
  assert.deepEqual(await page.locator('.line .subject').allTextContents(), ['/home/u/spaces/claude/project/src/new.py']);
  await page.getByLabel('Search calls').fill('nothing has this');
  await page.getByText('No call fits these filters.').waitFor();
  await page.locator('.nothing').getByRole('button', { name: 'Clear filters' }).click();
  await found(page, '29 calls');

  const firsts = {};
  for (const by of ['Name', 'Kind', 'Server', 'Path', 'Agent', 'Label']) {
    await page.getByRole('group', { name: 'Group calls by' }).getByRole('button', { name: by, exact: true }).click();
    await page.getByTestId('groups').locator('thead th').first().filter({ hasText: by }).waitFor();
    await page.waitForTimeout(100);
    firsts[by] = (await groups(page))[0];
  }
  assert.deepEqual(firsts.Server, ['fs', '2', '1']);
  assert.deepEqual(firsts.Agent, ['Claude Code', '29', '18']);
  assert.deepEqual(firsts.Kind, ['read', '7', '4']);
  assert.equal(firsts.Path[0].startsWith('/home/u/spaces/claude/project'), true);

  await page.getByRole('button', { name: 'Changes something' }).click();
  await found(page, '15 of 29 calls');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: /^Failed$/ }).click();
  const failures = (await groups(page)).map(([, , failed]) => Number(failed));
  assert.deepEqual(failures, failures.toSorted((a, b) => b - a), 'sorted by failures');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('runs are folded, and everything can be done by the keyboard', async () => {
  const page = await open();
  await pick(page, file('runs.jsonl', log([
    { name: 'Read', input: { file_path: 'a.txt' } },
    { name: 'Read', input: { file_path: 'b.txt' }, error: true, result: 'no such file' },
    { name: 'Bash', input: { command: 'ls' } },
  ])));
  await ready(page);
  const lines = page.locator('.line');
  await lines.nth(0).getByText('1 failed').waitFor();
  assert.equal(await lines.count(), 2);
  await page.getByTestId('timeline').focus();
  await page.keyboard.press('ArrowRight');
  await lines.nth(3).waitFor();
  assert.deepEqual(await page.locator('.line .subject').allTextContents(), ['a.txt …', 'a.txt', 'b.txt', 'ls']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('[data-testid=call][data-number="1"]').waitFor();
  assert.match(await page.getByTestId('call').innerText(), /no such file/);
  await page.keyboard.press('Escape');
  await page.getByTestId('call').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), 'timeline', 'the focus is back where it was');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelectorAll('.line').length === 2);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('one call: what it was given, what it means, why, and where it stands', async () => {
  const page = await open();
  await sample(page, 'Claude Code');
  await page.getByRole('button', { name: 'Fold runs' }).click();
  await page.getByLabel('Search calls').fill('new.py write');
  await found(page, '1 of 29 calls');
  await page.locator('.line').first().click();
  const panel = page.getByTestId('call');
  await page.locator('[data-testid=call][data-number]').waitFor();
  const raw = JSON.parse(await panel.getByRole('region', { name: 'Raw input' }).innerText());
  const canonical = JSON.parse(await panel.getByRole('region', { name: 'Canonical input' }).innerText());
  const envelope = JSON.parse(await panel.getByRole('region', { name: 'Envelope' }).innerText());
  assert.deepEqual(Object.keys(raw), ['file_path', 'content']);
  assert.deepEqual(canonical, { path: '/home/u/spaces/claude/project/src/new.py' });
  assert.deepEqual(envelope, { 'x.ai/tool': { version: 1, name: 'Write', kind: 'write', namespace: 'claude_code', label: 'Write', read_only: false, input: canonical } });
  const text = await panel.innerText();
  assert.match(text, /The catalog has this name among the tools of this agent\. catalog/);
  const where = /claude_code\/(\S+\.jsonl), line (\d+)/.exec(text);
  const lines = (await readFile(join(samples, 'claude_code', where[1]), 'utf8')).split('\n');
  assert.match(lines[where[2] - 1], /"name":"Write"/, 'the place is right');
  assert.match(await panel.getByRole('region', { name: /^Record at byte/ }).first().innerText(), /tool_result/);

  await panel.getByRole('link', { name: 'Open in “Try a call”' }).click();
  await page.getByTestId('answer').getByText('Write', { exact: true }).waitFor();
  await page.goBack();
  await found(page, '1 of 29 calls');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('previous and next go through what the filters let through', async () => {
  const page = await open();
  await sample(page, 'Gemini CLI');
  await page.getByTestId('groups').getByRole('button', { name: 'Read', exact: true }).click();
  await found(page, '3 of 22 calls');
  await page.getByRole('button', { name: 'Fold runs' }).click();
  await page.locator('.line').first().click();
  const numbers = [];
  for (let step = 0; step < 4; step += 1) {
    await page.locator('[data-testid=call][data-number]').waitFor();
    await page.waitForTimeout(150);
    numbers.push(await page.getByTestId('call').getAttribute('data-number'));
    await page.getByRole('button', { name: 'Next' }).click();
  }
  assert.equal(new Set(numbers).size, 3, 'after the last one nothing follows');
  await page.context().close();
});

test('files come by drop, by paste, as text, as a folder, and compressed', async () => {
  const page = await open();
  const one = log([{ name: 'Read', input: { file_path: 'a.txt' } }]);
  const two = log([{ name: 'Bash', input: { command: 'ls' } }], 's2');

  await page.evaluate(([one, two]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([one], 'one.jsonl'));
    transfer.items.add(new File([two], 'one.jsonl'));
    dispatchEvent(new DragEvent('dragover', { dataTransfer: transfer, cancelable: true }));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, [one, two]);
  await ready(page);
  assert.deepEqual(await figures(page).then(({ Calls, Sessions }) => [Calls, Sessions]), ['2', '2'], 'two files of one name are two files');
  assert.equal(await page.locator('.drop-here').count(), 0);
  await page.getByRole('button', { name: 'Close' }).click();

  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, one);
  await found(page, '1 call');
  await page.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Paste text' }).click();
  await page.getByLabel('A log, or some lines of one').fill(two);
  await page.getByRole('button', { name: 'Read it' }).click();
  await page.locator('.line').filter({ hasText: 'ls' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();

  await pick(page, { ...file('one.jsonl.gz', ''), buffer: gzipSync(one) });
  await found(page, '1 call');
  await page.locator('.line').first().click();
  await page.getByTestId('call').getByRole('region', { name: 'Raw input' }).filter({ hasText: 'a.txt' }).waitFor();
  await page.keyboard.press('Escape');

  await pick(page, file('two.jsonl', two));
  await found(page, '2 calls');
  await page.getByRole('button', { name: 'Close' }).click();

  await pick(page, samples, 'folder');
  await ready(page);
  assert.deepEqual(await figures(page).then((all) => [all.Calls, all.Agents]), ['208', '5']);
  assert.match(await page.locator('.log-head').innerText(), /3 other files passed over/, 'README and two files of metadata');
  await picture(page, 'session-all-samples');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('what is shown can be saved', async () => {
  const page = await open();
  await sample(page, 'ACP');
  const save = async (name) => {
    await page.locator('.menu summary').click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('.menu').getByRole('button', { name }).click()]);
    return readFile(await download.path(), 'utf8');
  };
  const calls = JSON.parse(await save('Calls as JSON'));
  assert.equal(calls.length, 37);
  assert.deepEqual([calls[0].label, calls[0].harness, typeof calls[0].line], ['List Files', 'gemini_cli', 'number']);
  const csv = (await save('Calls as CSV')).trimEnd().split('\n');
  assert.equal(csv[0].split(',').slice(0, 3).join(), 'id,name,label');
  assert.ok(csv.length >= 38);
  const grouped = JSON.parse(await save('Groups as JSON'));
  assert.equal(grouped.reduce((sum, group) => sum + group.calls, 0), 37);
  assert.match(await save('Groups as CSV'), /^key,by,value,calls,/);
  const stamped = await save('acp/opencode.jsonl');
  const before = await readFile(join(samples, 'acp/opencode.jsonl'), 'utf8');
  assert.equal(before.includes('x.ai/tool'), false);
  const messages = stamped.trimEnd().split('\n').map((line) => JSON.parse(line));
  const updates = messages.map(({ msg }) => msg?.params?.update).filter((update) => update?.sessionUpdate === 'tool_call');
  assert.ok(updates.length > 0 && updates.every((update) => update._meta['x.ai/tool'].label), 'each call carries its envelope');

  await page.getByTestId('groups').getByRole('button', { name: 'Read', exact: true }).click();
  await found(page, '7 of 37 calls');
  const narrowed = JSON.parse(await save('Calls as JSON'));
  assert.ok(narrowed.length === 7 && narrowed.every(({ label }) => label === 'Read'), 'what the filters let through');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a report of an unknown tool has names and types, and no value', async () => {
  const page = await open();
  const input = { target: 'SECRET-1', options: { depth: 42, tags: ['SECRET-2'], 'SECRET key/with path.txt': true, nothing: null }, edits: [{ old: 'SECRET-3' }, { old: 'SECRET-4' }] };
  await pick(page, file('unknown.jsonl', log([{ name: 'frobnicate', input, result: 'SECRET-5' }])));
  await page.locator('.line').first().click();
  await page.getByRole('button', { name: 'Report an unknown tool' }).click();
  const part = page.locator('.part').filter({ hasText: 'What you can send' });
  await part.getByRole('button', { name: 'Copy' }).click();
  await part.getByText('Copied').waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(text.includes('SECRET'), false);
  const report = JSON.parse(text);
  assert.deepEqual([report.tool, report.agent, report.agent_version, report.format, report.why], ['frobnicate', 'claude_code', '2.1.0', 'claude_session', 'nothing']);
  assert.deepEqual(report.raw_input, {
    target: 'string',
    options: { depth: 'number', tags: ['string'], '<name>': 'boolean', nothing: 'null' },
    edits: [{ old: 'string' }],
  });
  await page.context().close();
});

test('a filter holds beside a group, and what was just typed is cleared, too', async () => {
  const page = await open();
  await pick(page, samples, 'folder');
  await found(page, '208 calls');
  await page.getByRole('group', { name: 'Group calls by' }).getByRole('button', { name: 'Agent', exact: true }).click();
  await page.getByTestId('groups').getByRole('button', { name: 'Codex CLI', exact: true }).click();
  await found(page, '40 of 208 calls');
  await page.locator('.filters').getByLabel('Agent').selectOption('opencode');
  await found(page, '0 of 208 calls');

  await page.getByLabel('Search calls').fill('nothing has this');
  await page.evaluate(() => document.querySelector('.found button').click());
  await found(page, '208 calls');
  await page.waitForTimeout(300);
  assert.deepEqual([await page.locator('.found').innerText(), await page.getByLabel('Search calls').inputValue()], ['208 calls', '']);
  await page.context().close();
});

test('a log that is dropped on another view is read and shown', async () => {
  const page = await open('#try');
  await drop(page, [['own.jsonl', log([{ name: 'Read', input: { file_path: 'a.txt' } }])]]);
  await ready(page);
  assert.deepEqual([new URL(page.url()).hash, await page.locator('.log h1').innerText(), await page.locator('.found').innerText()], ['#session', 'own.jsonl', '1 call']);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('what was asked for last is what opens, and what holds no log leaves the open one', async () => {
  const page = await open();
  let go;
  const held = new Promise((done) => {
    go = done;
  });
  await page.route(/\.jsonl$/, (route) => held.then(() => route.continue()));
  await page.getByRole('button', { name: /^Codex/ }).click();
  await drop(page, [['own.jsonl', log([{ name: 'Read', input: { file_path: 'a.txt' } }])]]);
  await ready(page);
  go();
  await page.waitForTimeout(600);
  assert.equal(await page.locator('.log h1').innerText(), 'own.jsonl');

  await page.evaluate(() => {
    DataTransferItem.prototype.webkitGetAsEntry = () => ({ isDirectory: true, createReader: () => ({ readEntries: (done) => done([]) }) });
  });
  await drop(page, [['an empty folder', '']]);
  await page.getByText('There was no file in what you dropped.').waitFor();
  await ready(page);
  assert.equal(await page.locator('.log h1').innerText(), 'own.jsonl');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('quick steps go as far as they were asked to, and no call passes for another', async () => {
  const page = await open();
  const calls = Array.from({ length: 20_000 }, (_, i) => ({ name: i % 2 ? 'Read' : 'Bash', input: { file_path: `f${i}`, command: `c${i}` } }));
  await pick(page, file('many.jsonl', log(calls)));
  await found(page, '20,000 calls');
  await page.locator('.line').first().click();
  await page.locator('[data-testid=call][data-number="0"]').waitFor();
  const seen = await page.evaluate(async () => {
    const panel = document.querySelector('.panel');
    const seen = new Set();
    const next = [...panel.querySelectorAll('button')].find((button) => button.textContent === 'Next');
    for (let i = 0; i < 9; i += 1) next.click();
    while (panel.dataset.number !== '9') {
      if (panel.dataset.number) seen.add(`${panel.dataset.number} ${panel.querySelector('h2 .subject').textContent}`);
      await new Promise(requestAnimationFrame);
    }
    return [...seen];
  });
  assert.ok(seen.every((pair) => /^(\d+) [cf]\1$/.test(pair)), seen.join());
  assert.equal(await page.getByTestId('call').locator('h2 .subject').innerText(), 'f9');
  await page.context().close();
});

test('the export menu closes as menus do, and says what could not be written', async () => {
  const page = await open();
  const whole = gzipSync(await readFile(join(samples, 'acp/opencode.jsonl')));
  await pick(page, { name: 'cut.jsonl.gz', mimeType: '', buffer: whole.subarray(0, whole.length * 0.8) });
  await ready(page);
  const menu = page.locator('.menu details');
  await menu.locator('summary').click();
  await page.keyboard.press('Escape');
  assert.equal(await menu.evaluate((element) => element.open), false);
  await menu.locator('summary').click();
  await page.getByRole('heading', { name: 'Groups' }).click();
  assert.equal(await menu.evaluate((element) => element.open), false);
  await menu.locator('summary').click();
  await menu.getByRole('button', { name: 'cut.jsonl.gz' }).click();
  await page.getByText('It could not be written').waitFor();
  await page.context().close();
});

test('a page that is open goes on when a new version comes out', async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'playground-'));
  await cp('dist', outDir, { recursive: true });
  const server = await preview({ build: { outDir }, preview: { port: 0, host: '127.0.0.1' }, logLevel: 'error' });
  try {
    const page = await open();
    await page.goto(server.resolvedUrls.local[0]);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    const name = (await readdir(join(outDir, 'assets'))).find((file) => /^try-.*\.js$/.test(file));
    const worker = join(outDir, 'offline.js');
    await rename(join(outDir, 'assets', name), join(outDir, 'assets/try-new.js'));
    await writeFile(worker, (await readFile(worker, 'utf8')).replace(name, 'try-new.js').replace('VERSION = "', 'VERSION = "new-'));
    const state = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration.update();
      const coming = registration.installing ?? registration.waiting ?? registration.active;
      while (coming.state === 'installing' || coming.state === 'activating') await new Promise((done) => setTimeout(done, 20));
      return coming.state;
    });
    assert.equal(state, 'installed', 'it waits');
    await page.getByRole('link', { name: 'Try a call' }).click();
    await page.getByTestId('answer').getByText('Read', { exact: true }).waitFor();
    await page.context().close();
  } finally {
    await server.close();
    await rm(outDir, { recursive: true });
  }
});

test('the page works without a network', async () => {
  const page = await open();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.context().setOffline(true);
  await page.reload();
  await sample(page, 'Grok Build');
  assert.equal((await figures(page)).Calls, '62');
  await page.goto(`${url}#finalize`);
  await page.getByTestId('verdict').getByText('Rewrite').waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
