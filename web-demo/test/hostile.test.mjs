// Logs that are damaged, foreign, huge, or written to do harm.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createGzip, gzipSync } from 'node:zlib';
import { figures, file, found, groups, log, open, pick, picture, ready } from './page.mjs';

test('markup in a log is text', async () => {
  const page = await open();
  const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  await pick(page, file(`${evil}.jsonl`, log([
    { name: evil, input: { file_path: evil, [evil]: evil }, error: true, result: evil },
    { name: 'Bash', input: { command: `"><svg onload=alert(3)>` } },
    { name: 'Read', input: { file_path: 'javascript:alert(4)' } },
  ], evil)));
  await ready(page);
  for (const by of ['Name', 'Path', 'Label']) await page.getByRole('group', { name: 'Group calls by' }).getByRole('button', { name: by, exact: true }).click();
  await page.locator('.line').first().click();
  await page.locator('[data-testid=call][data-number]').waitFor();
  assert.match(await page.getByTestId('call').innerText(), /<script>alert\(2\)<\/script>/);
  assert.equal(await page.locator('img[src=x], svg[onload], main script').count(), 0);
  await page.getByRole('button', { name: 'Report an unknown tool' }).click();
  await page.getByRole('link', { name: 'Open in “Try a call”' }).click();
  await page.getByTestId('answer').locator('.verdict').waitFor();
  assert.equal(await page.locator('img[src=x], svg[onload], main script').count(), 0);
  await page.waitForTimeout(200);
  assert.deepEqual(page.faults, [], 'nothing ran, nothing was asked for');
  await page.context().close();
});

test('characters that deceive are shown by their numbers', async () => {
  const page = await open();
  await pick(page, file('bidi.jsonl', log([{ name: 'Read', input: { file_path: 'invoice\u202Efdp.exe' } }, { name: 'Bash', input: { command: 'ls\u0000\u001b[31m \u200b' } }, { name: 'Read', input: { file_path: 'a\u{e0041}\u3164\u{e0100}.txt 👨‍🚀' } }])));
  await ready(page);
  assert.deepEqual(await page.locator('.line .subject').allTextContents(), [
    'invoice\\u202efdp.exe',
    'ls\\u0000\\u001b[31m \\u200b',
    'a\\udb40\\udc41\\u3164\\udb40\\udd00.txt 👨\\u200d🚀',
  ]);
  await picture(page, 'hostile-bidi');
  await page.context().close();
});

test('names of a megabyte, members named like methods, and deep arguments', async () => {
  const page = await open();
  let deep = '1';
  for (let i = 0; i < 100; i += 1) deep = `{"a":${deep}}`;
  const text = log([
    { name: 'n'.repeat(1 << 20), input: { file_path: '/p'.repeat(1 << 19) } },
    { name: '__proto__', input: { __proto__: null, constructor: 1, toString: 2 } },
    { name: 'constructor', input: {} },
    { name: 'deep', input: { value: 'DEEP' } },
  ]).replace('"DEEP"', deep);
  await pick(page, file('huge.jsonl', text));
  await ready(page);
  assert.equal((await figures(page)).Calls, '4');
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await page.getByTestId('groups').locator('tbody tr').nth(3).waitFor();
  const names = (await groups(page)).map(([name]) => name).sort();
  assert.deepEqual(names.filter((name) => name.length < 100), ['__proto__', 'constructor', 'deep']);
  assert.ok(Math.max(...names.map((name) => name.length)) <= 200, 'a long name is cut');
  for (let at = 0; at < 4; at += 1) {
    await page.getByRole('button', { name: 'Fold runs' }).and(page.locator('[aria-pressed=true]')).click({ timeout: 200 }).catch(() => undefined);
    await page.locator('.line').nth(at).click();
    await page.locator(`[data-testid=call][data-number="${at}"]`).waitFor();
    if (at === 0) assert.match(await page.getByTestId('call').locator('.facts').innerText(), /n… \(1,048,076 more characters\)/);
    await page.keyboard.press('Escape');
  }
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('damage is told, and the rest is read', async () => {
  const page = await open();
  const [first, second] = [log([{ name: 'Read', input: { file_path: 'a' } }]), log([{ name: 'Bash', input: { command: 'ls' } }], 's2')];
  await pick(page, file('torn.jsonl', `${first}{"type":"assistant","mess\n\u0000\u0001garbage\n${second}`));
  await ready(page);
  const { Calls, 'Not read': unread } = await figures(page);
  assert.deepEqual([Calls, unread], ['2', '36 bytes']);
  await page.locator('.damage summary').click();
  assert.match(await page.locator('.damage').innerText(), /torn\.jsonl, line 3: .+\(26 bytes\)/);
  await picture(page, 'damaged');
  await page.context().close();
});

test('what is no log is said to be none', async () => {
  for (const [name, buffer, text] of [
    ['empty.jsonl', Buffer.alloc(0), /its agent called no tools|no log that can be read/],
    ['photo.jpg', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)), /no log that can be read/],
    ['other.json', Buffer.from('{"hello": "world"}'), /no log that can be read/],
    ['prose.txt', Buffer.from('Dear diary,\n'.repeat(100)), /no log that can be read/],
  ]) {
    const page = await open();
    await pick(page, { name, mimeType: '', buffer });
    await page.getByText('No tool calls in there').waitFor();
    assert.match(await page.locator('.notice').innerText(), text, name);
    assert.deepEqual(page.faults, []);
    if (name === 'photo.jpg') await picture(page, 'no-log');
    await page.context().close();
  }
});

test('an archive that is cut off gives what it holds, and says so', async () => {
  const page = await open();
  const text = log(Array.from({ length: 2000 }, (_, i) => ({ name: 'Read', input: { file_path: `f${(i * 7919) % 104729}` } })));
  const whole = gzipSync(text);
  await pick(page, { name: 'cut.jsonl.gz', mimeType: '', buffer: whole.subarray(0, whole.length / 2) });
  await ready(page);
  const calls = Number((await figures(page)).Calls.replace(',', ''));
  assert.ok(calls > 100 && calls < 2000, `${calls} of 2000 calls`);
  assert.match(await page.locator('.damage').innerText(), /cut\.jsonl\.gz breaks off/);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('100,000 calls are one list of which only the screen is drawn', async () => {
  const page = await open();
  const calls = Array.from({ length: 100_000 }, (_, i) => ({ name: ['Read', 'Write', 'Edit'][i % 3], input: { file_path: `f${i}` }, error: i % 10 === 0 }));
  await pick(page, file('many.jsonl', log(calls)));
  await found(page, '100,000 calls');
  await page.getByRole('button', { name: 'Fold runs' }).click();
  await page.getByTestId('timeline').focus();
  await page.keyboard.press('End');
  await page.locator('.line .subject').filter({ hasText: 'f99999' }).or(page.locator('#line-99999 .subject')).first().waitFor();
  assert.equal(await page.locator('#line-99999').getAttribute('aria-posinset'), '100000');
  assert.ok((await page.locator('.line').count()) < 100);
  await page.keyboard.press('Enter');
  await page.locator('[data-testid=call][data-number="99999"]').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Search calls').fill('f9999');
  await found(page, '11 of 100,000 calls');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('reading can be stopped, and what was read stays', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playground-'));
  try {
    // Small on disk, and long to read.
    const path = join(folder, 'long.jsonl.gz');
    const [gzip, out] = [createGzip({ level: 1 }), createWriteStream(path)];
    gzip.pipe(out);
    gzip.write(log([{ name: 'Read', input: { file_path: 'first.txt' } }]));
    const padding = `${JSON.stringify({ type: 'user', sessionId: 's1', uuid: 'x', message: { role: 'user', content: 'text '.repeat(200_000) } })}\n`;
    for (let i = 0; i < 1500; i += 1) if (!gzip.write(padding)) await once(gzip, 'drain');
    gzip.end();
    await once(out, 'finish');
    const page = await open();
    await pick(page, path);
    await page.locator('.reading').getByText(/, 1 calls?/).waitFor();
    await picture(page, 'reading');
    await page.getByRole('button', { name: 'Stop, and show what is there' }).click();
    await page.getByText('Reading was stopped').waitFor();
    await ready(page);
    assert.equal((await figures(page)).Calls, '1');
    assert.deepEqual(page.faults, []);
    await page.context().close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('what is dropped while something else is read takes its place', async () => {
  const page = await open();
  const long = log(Array.from({ length: 60_000 }, (_, i) => ({ name: 'Read', input: { file_path: `f${i}` } })));
  const short = log([{ name: 'Bash', input: { command: 'ls' } }]);
  await page.evaluate(([long, short]) => {
    for (const [name, text] of [['long.jsonl', long], ['short.jsonl', short]]) {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }
  }, [long, short]);
  await found(page, '1 call');
  await page.waitForTimeout(1500);
  assert.deepEqual([(await figures(page)).Calls, await page.locator('.log h1').innerText()], ['1', 'short.jsonl']);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('thousands of different names are not drawn all at once', async () => {
  const page = await open();
  await pick(page, file('names.jsonl', log(Array.from({ length: 20_000 }, (_, i) => ({ name: `tool_${i}`, input: {} })))));
  await ready(page);
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await page.getByRole('button', { name: 'Show all 2,000' }).click();
  await page.getByText('The largest 2,000 are shown').waitFor();
  assert.equal((await groups(page)).length, 2000);
  await page.context().close();
});

test('times that browsers do not know are shown as they are', async () => {
  const page = await open();
  const calls = log([{ name: 'Read', input: { file_path: 'a' } }]);
  // The last second of the year 9999 is followed by the year 10000.
  await pick(page, file('late.jsonl', calls.replace(/"timestamp":"[^"]*"/g, '"timestamp":"9999-12-31T23:59:60Z"')));
  await ready(page);
  await page.locator('.line').first().click();
  await page.getByTestId('call').locator('dd').filter({ hasText: '10000-01-01' }).waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('arguments are shown as they are: no number is rounded, no member dropped or moved', async () => {
  const page = await open();
  const raw = '{"id":12345678901234567890,"a":1,"a":[],"2":{ },"1":1e400,"u":"Gr\\u00fc\\u00dfe","s":"{,:[\\""}';
  const shown = '{\n  "id": 12345678901234567890,\n  "a": 1,\n  "a": [],\n  "2": {},\n  "1": 1e400,\n  "u": "Grüße",\n  "s": "{,:[\\""\n}';
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  await pick(page, file('raw.jsonl', log([{ name: 'odd', input: 'RAW' }, { name: 'deep', input: 'DEEP' }]).replace('"RAW"', raw).replace('"DEEP"', `{"deep":"${deep}"}`)));
  await ready(page);
  await page.locator('.line').first().click({ timeout: 2000 });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Fold runs' }).click();
  await page.locator('.line').first().click();
  await page.locator('[data-testid=call][data-number="0"]').waitFor();
  assert.equal(await page.getByRole('region', { name: 'Raw input' }).evaluate((pre) => pre.textContent), shown);
  await page.getByRole('link', { name: 'Open in “Try a call”' }).click();
  await page.getByRole('textbox', { name: 'Raw input' }).filter({ hasText: '12345678901234567890' }).waitFor();
  await page.context().close();
});

test('files of one name, and one named as the second of them would be', async () => {
  const page = await open();
  const files = ['x.jsonl', 'x.jsonl', 'x.jsonl (2)'].map((name, at) => file(name, log([{ name: 'Read', input: { file_path: 'a' } }], `s${at}`)));
  await pick(page, files);
  await found(page, '3 calls');
  await page.context().close();
});

test('a page whose reader cannot start says so', async () => {
  const page = await open('', { serviceWorkers: 'block' });
  await page.route(/worker.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await pick(page, file('x.jsonl', log([{ name: 'Read', input: {} }])));
  await page.getByText('This could not be read').waitFor();
  await page.unroute(/worker.*\.js$/);
  await pick(page, file('x.jsonl', log([{ name: 'Read', input: {} }])));
  await ready(page);
  await page.context().close();
});
