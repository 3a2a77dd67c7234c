// Try, Stream and Finalize; links; the looks of every view.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { barriers, open, picture, sample, url } from './page.mjs';

/** Replaces the text of an editor. */
async function type(page, label, text) {
  await page.getByRole('textbox', { name: label }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

const json = async (page, name) => JSON.parse(await page.getByRole('region', { name }).innerText());

test('a call is understood as it is typed', async () => {
  const page = await open('#try');
  assert.deepEqual(await json(page, 'Canonical input'), { path: 'src/main.rs', offset: 40, limit: 20 });
  await page.getByLabel('Agent').fill('codex');
  await page.getByLabel('Tool name').fill('shell');
  await type(page, 'Raw input', '{"command": ["bash", "-lc", "ls -la"], "workdir": "/p"}');
  await page.getByTestId('answer').getByText('Run Command', { exact: true }).waitFor();
  assert.deepEqual(await json(page, 'Canonical input'), { command: 'ls -la', cwd: '/p' });
  const { 'x.ai/tool': envelope } = await json(page, 'Envelope');
  assert.deepEqual([envelope.name, envelope.kind, envelope.namespace, envelope.read_only], ['shell', 'execute', 'codex', false]);

  await type(page, 'Raw input', '{"command": ');
  await page.getByText(/^Not JSON as it stands/).waitFor();
  await page.getByRole('button', { name: 'An MCP tool' }).click();
  await page.getByTestId('answer').getByText('github', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'A tool no one knows' }).click();
  await page.getByTestId('answer').getByText('unknown tool').waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('the code does what the page shows', async () => {
  const page = await open('#try');
  await page.getByRole('button', { name: 'Codex patches' }).click();
  const code = {};
  for (const face of ['JavaScript', 'Python', 'Rust', 'WIT']) {
    await page.getByRole('group', { name: 'Language' }).getByRole('button', { name: face }).click();
    await page.getByRole('region', { name: `${face} code` }).waitFor();
    await page.getByLabel('The same in code').getByRole('button', { name: 'Copy' }).click();
    await page.getByLabel('The same in code').getByText('Copied').waitFor();
    code[face] = await page.evaluate(() => navigator.clipboard.readText());
    await page.waitForTimeout(50);
  }
  await writeFile('snippet.mjs', code.JavaScript);
  const { stdout } = await promisify(execFile)('node', ['snippet.mjs']);
  assert.equal(stdout.trim(), "Edit catalog { path: 'src/lib.rs' }");
  assert.match(code.Python, /"raw_input": \{\n {8}"input": "\*\*\* Begin Patch\\n/);
  assert.match(code.Rust, /RawJson::parse\(r#"\{\n {2}"input": "\*\*\* Begin/);
  assert.match(code.Rust, /harness: Some\("codex"\)/);
  assert.match(code.WIT, /identity\.identify\("\{\\"harness\\": \\"codex\\"/);

  await type(page, 'Raw input', '{"id": 12345678901234567890}');
  await page.getByRole('group', { name: 'Language' }).getByRole('button', { name: 'JavaScript' }).click();
  await page.getByRole('region', { name: 'JavaScript code' }).filter({ hasText: String.raw`raw_input: "{\"id\": 12345678901234567890}"` }).waitFor();
  await page.context().close();
});

test('arguments stream, and nothing that was shown is taken back', async () => {
  const page = await open('#stream');
  await page.getByLabel('Cut every').selectOption('1');
  const total = Number(await page.getByLabel('Deltas so far').getAttribute('max'));
  assert.ok(total > 100);
  const seen = [];
  for (let step = 0; step < 30; step += 1) {
    await page.getByRole('button', { name: 'Step' }).click();
    const projected = page.getByLabel('Projected').locator('dd');
    seen.push((await projected.count()) ? (await projected.first().innerText()).replace(/\s*growing$/, '') : '');
  }
  for (const [at, text] of seen.entries()) assert.ok(text.startsWith(seen[at - 1] ?? ''), `${text} after ${seen[at - 1]}`);
  assert.equal(seen.at(-1), 'src/hello.rs');
  assert.ok(new Set(seen).size > 8, 'the path grows');
  await page.getByLabel('Deltas so far').fill('18');
  await page.getByLabel('Projected').getByText('growing').waitFor();
  await picture(page, 'stream');
  await page.getByLabel('Speed').selectOption('60');
  await page.getByLabel('Cut every').selectOption('32');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByTestId('state').getByText('complete', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Play again' }).waitFor();
  assert.match(await page.getByLabel('Visible').locator('pre').innerText(), /Grüße, 世界 👋/);

  await page.getByRole('button', { name: 'Cut off' }).click();
  await page.getByLabel('Deltas so far').fill(await page.getByLabel('Deltas so far').getAttribute('max'));
  await page.getByTestId('state').getByText(/must not run/).waitFor();
  await page.getByLabel('Projected').getByText('cut off').waitFor();
  await page.getByRole('button', { name: 'As a sloppy model writes' }).click();
  await page.getByLabel('Deltas so far').fill(await page.getByLabel('Deltas so far').getAttribute('max'));
  await page.getByLabel('Projected').getByText('ls -la').waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a call is judged, and each change is marked by its code', async () => {
  const page = await open('#finalize');
  assert.deepEqual(await json(page, 'Arguments to run with'), { path: 'a.txt', max_lines: 5, mode: 'text' });
  const codes = ['name_prefix', 'code_fence', 'single_quotes', 'unquoted_key', 'key_renamed', 'string_to_number', 'unquoted_key', 'enum_case', 'trailing_comma'];
  assert.deepEqual(await page.locator('.changes li > code').allTextContents(), codes);
  assert.deepEqual((await page.getByTestId('diff').locator('.mark').allTextContents()).sort(), codes.toSorted());
  assert.ok((await page.getByTestId('diff').locator('del').allTextContents()).join().includes('```json'));

  await page.getByRole('button', { name: 'Right' }).click();
  await page.getByTestId('verdict').getByText('Pass', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Cut in the middle' }).click();
  await page.getByTestId('verdict').getByText('truncated_string').waitFor();
  await page.getByLabel('Profile').selectOption('reference');
  await page.getByTestId('verdict').getByText('Rewrite', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Cut by a limit' }).click();
  await page.getByTestId('verdict').getByText('Reject', { exact: true }).waitFor();
  await page.getByLabel('The model stopped').selectOption('tool_calls');
  await page.getByTestId('verdict').getByText('Rewrite', { exact: true }).waitFor();
  assert.deepEqual(await page.locator('.changes li > code').allTextContents(), ['closed_brackets']);

  await type(page, 'Arguments', '{"path": "a.txt"}');
  await type(page, 'Schema', '{"type": "strin"}');
  await page.getByTestId('verdict').getByText('schema_unsupported').waitFor();
  await type(page, 'Schema', '{"type": ');
  await page.getByTestId('verdict').getByText(/Reject|cannot be judged/).first().waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a link holds what was typed', async () => {
  for (const [view, label, text] of [
    ['try', 'Raw input', '{"path": "grüße 👋"}'],
    ['stream', 'Argument text', '{"a": "b"}'],
    ['finalize', 'Arguments', '{"path": "x"}'],
  ]) {
    const page = await open(`#${view}`);
    await type(page, label, text);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, new RegExp(`^${url}#${view}:[\\w-]+$`));
    await page.context().close();
    const other = await open(link.slice(url.length));
    await other.getByRole('textbox', { name: label }).filter({ hasText: text }).waitFor();
    assert.deepEqual(other.faults, []);
    await other.context().close();
  }
});

test('a link that is damaged, or of another make, does no harm', async () => {
  for (const state of ['xxxx', '%%%', 'a'.repeat(5000)]) {
    const page = await open(`#try:${state}`);
    await page.getByText('This link is damaged').waitFor();
    await page.getByTestId('answer').getByText('Read', { exact: true }).waitFor();
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }
  const page = await open();
  const made = await page.evaluate(async () => {
    const stream = new Blob([JSON.stringify({ name: 5, harness: ['x'], evil: 1, input: '{"command":"ls"}' })]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    return btoa(String.fromCharCode(...new Uint8Array(await new Response(stream).arrayBuffer())));
  });
  await page.goto(`${url}#try:${made.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`);
  await page.getByRole('textbox', { name: 'Raw input' }).filter({ hasText: '{"command":"ls"}' }).waitFor();
  assert.equal(await page.getByLabel('Tool name').inputValue(), 'Read', 'what has another type is left as it was');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('the first paint is small', async () => {
  const page = await open();
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  let size = 0;
  for (const name of new Set([url, ...loaded])) size += gzipSync(Buffer.from(await (await fetch(name)).arrayBuffer())).length;
  assert.ok(loaded.length >= 3 && size < 300_000, `${size} bytes in ${loaded}`);
  await page.context().close();
});

const views = {
  start: async (options) => open('', options),
  session: async (options) => {
    const page = await open('', options);
    await sample(page, 'Claude Code');
    return page;
  },
  call: async (options) => {
    const page = await views.session(options);
    await page.locator('.line').filter({ hasText: 'new.py' }).click();
    await page.locator('[data-testid=call][data-number]').waitFor();
    return page;
  },
  try: async (options) => open('#try', options),
  stream: async (options) => {
    const page = await open('#stream', options);
    await page.getByLabel('Deltas so far').fill('9');
    return page;
  },
  finalize: async (options) => open('#finalize', options),
};

for (const [name, show] of Object.entries(views)) {
  test(`${name} can be used by everyone, on any screen`, async () => {
    for (const [width, colorScheme] of [[1280, 'light'], [1280, 'dark'], [360, 'light'], [360, 'dark']]) {
      const page = await show({ viewport: { width, height: 800 }, colorScheme });
      await page.waitForTimeout(300);
      await picture(page, `${name}-${width}-${colorScheme}`, name !== 'call');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} pixels on a screen of ${width}`);
      assert.deepEqual(await barriers(page), [], `${width} ${colorScheme}`);
      assert.deepEqual(page.faults, []);
      await page.context().close();
    }
  });
}

test('the colours can be chosen, and are remembered', async () => {
  const page = await open('', { colorScheme: 'light' });
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await paper();
  await page.getByRole('button', { name: /^Colours: system/ }).click();
  await page.getByRole('button', { name: /^Colours: light/ }).click();
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.reload();
  await page.getByRole('button', { name: /^Colours: dark/ }).waitFor();
  assert.equal(await paper(), dark);
  await page.context().close();
});

test('what was typed is there again when one comes back', async () => {
  const page = await open('#try');
  await page.getByLabel('Tool name').fill('my_own_tool');
  await page.getByRole('link', { name: 'Session' }).click();
  await page.getByRole('link', { name: 'Try a call' }).click();
  await page.waitForURL(/#try:/);
  assert.equal(await page.getByLabel('Tool name').inputValue(), 'my_own_tool');
  await page.getByRole('link', { name: 'Try a call' }).click();
  await page.waitForURL(/#try:/);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Copied').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await open(new URL(link).hash);
  await other.waitForFunction(() => document.querySelector('.work input').value === 'my_own_tool');
  await other.context().close();
  await page.context().close();
});

test('a text of megabytes streams, and a link to a mode that there is not is told', async () => {
  const page = await open('#stream');
  const text = JSON.stringify({ file_path: 'a.txt', content: `${'word "x"\n'.repeat(150_000)}END` });
  await type(page, 'Argument text', text);
  await page.getByLabel('Deltas so far').focus();
  await page.keyboard.press('End');
  await page.getByTestId('state').getByText('complete', { exact: true }).waitFor({ timeout: 10_000 });
  const [arrived, projected] = [page.getByTestId('arrived'), page.getByLabel('Projected')];
  assert.ok((await arrived.innerText()).endsWith('END"}'));
  assert.ok((await arrived.evaluate((part) => part.textContent.length)) < 10_000);
  assert.match(await projected.innerText(), /a\.txt/);
  assert.ok((await projected.evaluate((part) => part.textContent.length)) < 10_000);

  const state = deflateRawSync(JSON.stringify({ mode: 'nope', text: '{}' })).toString('base64url');
  await page.goto(`${url}#stream:${state}`);
  await page.getByText('This cannot be played').waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('an editor hides nothing', async () => {
  const page = await open('#try');
  await type(page, 'Raw input', '{"path": "a\u202Eb\u{e0041}c"}');
  await page.locator('.cm-specialChar').nth(1).waitFor();
  assert.equal(await page.locator('.cm-specialChar').count(), 2);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('agents are called as the catalog calls them', async () => {
  const catalog = join(process.env.TOOLPRISM_ROOT ?? '..', 'core/src/catalog');
  const texts = await Promise.all((await readdir(catalog)).map((file) => readFile(join(catalog, file), 'utf8')));
  const known = texts.flatMap((text) => [...text.matchAll(/id: "(\w+)",\s+display: "([^"]+)"/g)].map(([, id, display]) => [id, display])).sort();
  assert.ok(known.length >= 10);
  const page = await open('#try');
  const offered = await page.locator('datalist option').evaluateAll((options) => options.map(({ value }) => value));
  assert.deepEqual(offered.toSorted(), known.map(([id]) => id));
  await page.context().close();
  const names = await readFile('src/names.ts', 'utf8');
  assert.deepEqual([...names.matchAll(/^ {2}(\w+): '([^']+)',$/gm)].map(([, id, display]) => [id, display]).filter(([id]) => offered.includes(id)).sort(), known);
});
