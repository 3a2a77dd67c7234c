// How long until a log can be used, how long the page stands still meanwhile, and what memory it takes.
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { log, open, start, stop } from '../test/browser.mjs';

const samples = join(process.cwd(), '../samples/claude_code');

/** The session of the samples again and again, each time another session, until there are so many bytes. */
async function sessions(path, megabytes) {
  const [name] = (await readdir(samples)).filter((file) => file.endsWith('.jsonl'));
  const text = await readFile(join(samples, name), 'utf8');
  const out = createWriteStream(path);
  for (let at = 0, bytes = 0; bytes < megabytes * 1e6; at += 1) {
    const one = text.replaceAll(name.slice(0, 8), at.toString(16).padStart(8, '0')).replaceAll('toolu_', `toolu_${at}_`);
    bytes += Buffer.byteLength(one);
    if (!out.write(one)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

async function calls(path, count) {
  const out = createWriteStream(path);
  out.end(log(Array.from({ length: count }, (_, i) => ({ name: ['Read', 'Bash', 'Frob'][i % 3], input: { file_path: `src/${i}.rs`, command: `make ${i}` }, error: i % 10 === 0 }))));
  await once(out, 'finish');
}

/** Memory of the largest process that draws pages, in megabytes; only where Linux tells. */
async function memory() {
  let most = 0;
  for (const pid of await readdir('/proc').catch(() => [])) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (!command.includes('--type=renderer')) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    most = Math.max(most, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000);
  }
  return most;
}

async function measure(name, path) {
  const page = await open();
  await page.evaluate(() => {
    globalThis.stood = [0];
    new PerformanceObserver((list) => stood.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['longtask'] });
  });
  const longest = async () => Math.round(await page.evaluate(() => Math.max(...stood.splice(0), 0)));
  await page.waitForTimeout(500);
  const before = await memory();
  let peak = before;
  const watch = setInterval(async () => (peak = Math.max(peak, await memory())), 50);
  const begin = performance.now();
  await page.getByTestId('pick-files').setInputFiles(path);
  await page.locator('.line .label').first().waitFor();
  const ready = Math.round(performance.now() - begin);
  const reading = await longest();
  clearInterval(watch);
  const found = await page.locator('.found').innerText();
  await page.getByRole('button', { name: 'Fold runs' }).click();
  const frames = await page.evaluate(async () => {
    const list = document.querySelector('.timeline');
    const times = [];
    for (let frame = 0; frame < 120; frame += 1) {
      const from = performance.now();
      list.scrollTop += 900;
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - from);
    }
    return times.sort((a, b) => a - b).map(Math.round);
  });
  await page.getByLabel('Search calls').fill('src');
  await page.waitForTimeout(600);
  const [median, worst] = [frames[60], frames.at(-1)];
  console.log(`${name}: ${found}, ${ready} ms until it can be used, the page stood still for ${reading} ms at most (50 ms or less count as 0); ${Math.round(peak - before)} MB more memory at most`);
  console.log(`  scrolling 900 pixels a frame: ${median} ms a frame, ${worst} at most; searching and scrolling, it stood still for ${await longest()} ms at most`);
  await page.context().close();
}

const folder = await mkdtemp(join(tmpdir(), 'playground-'));
try {
  await start();
  const path = join(folder, 'log.jsonl');
  await sessions(path, 50);
  await measure('50 MB of sessions', path);
  await calls(path, 100_000);
  await measure('100,000 calls', path);
  await sessions(path, 500);
  await measure('500 MB of sessions', path);
} finally {
  await stop();
  await rm(folder, { recursive: true });
}
