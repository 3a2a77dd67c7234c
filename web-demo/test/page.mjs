// What the tests do with the page.
import { join } from 'node:path';
import { after, before } from 'node:test';
import axe from 'axe-core';
import { start, stop } from './browser.mjs';

export { log, open, url } from './browser.mjs';

before(start);
after(stop);

export async function picture(page, name, fullPage = true) {
  const folder = process.env.TOOLPRISM_PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `playground-${name}.png`), fullPage });
}

/** Opens a sample by its button, and waits for its calls. */
export async function sample(page, name) {
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await ready(page);
}

/** Opens files as the dialog does: paths, or `{name, mimeType, buffer}`. */
export async function pick(page, files, kind = 'files') {
  await page.getByTestId(`pick-${kind}`).setInputFiles(files);
}

/** Drops files on the page, each a pair of name and text. */
export const drop = (page, files) =>
  page.evaluate((files) => {
    const transfer = new DataTransfer();
    for (const [name, text] of files) transfer.items.add(new File([text], name));
    const init = { dataTransfer: transfer, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent('dragover', init));
    document.body.dispatchEvent(new DragEvent('drop', init));
  }, files);

export const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

/** Waits until the time line shows its calls. */
export async function ready(page) {
  await page.locator('.line .label').first().waitFor();
}

export const figures = (page) =>
  page.getByTestId('summary').evaluate((list) => Object.fromEntries([...list.children].map((figure) => [figure.querySelector('dt').textContent, figure.querySelector('strong').textContent])));

export const groups = (page) =>
  page.getByTestId('groups').locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent)));

/** Waits until so many calls are found, as the line above them says. */
export async function found(page, text) {
  await page.locator('.found').filter({ hasText: text }).waitFor();
}

/** What is wrong with the page for those who cannot see it, or not well. */
export async function barriers(page) {
  // By the driver, not by the page, whose policy forbids scripts of others.
  const answer = await page.evaluate(`${axe.source}; axe.run(document, { resultTypes: ['violations'] })`);
  const serious = answer.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}
