// The walk in `docs/contract-javascript.md`: its file as it stands there, served, and called by the official SDK's client.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const walk = readFileSync(join(process.env.TOOLPRISM_ROOT, 'docs/contract-javascript.md'), 'utf8');

test('the walk is served', async () => {
  const blocks = [...walk.matchAll(/```js\n([^]*?)```/g)].map((match) => match[1]);
  assert.equal(blocks.length, 4);
  writeFileSync(new URL('./server.mjs', import.meta.url), blocks.join('\n'));
  const client = new Client({ name: 'test', version: '1.0.0' });
  const cwd = new URL('.', import.meta.url).pathname;
  await client.connect(new StdioClientTransport({ command: process.execPath, args: ['server.mjs'], cwd }));
  try {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), ['head', 'bash']);
    assert.equal(tools[0].annotations.readOnlyHint, true);
    assert.deepEqual(tools[0].inputSchema.required, ['path']);
    assert.equal(tools[1].description, 'Runs a command. To read a file, call head.');
    const call = async (name, args) => {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
      return [content[0].text, isError, structuredContent];
    };
    const first = "import { readFile } from 'node:fs/promises';";
    assert.deepEqual(await call('head', { path: 'server.mjs', lines: '1' }), [first, false, { type: 'Text', text: first }]);
    const [wrong, isError] = await call('head', { lines: 5 });
    assert.ok(isError && wrong.includes('`path`: expected a text; it is required and missing'), wrong);
    assert.deepEqual(await call('head', { path: 'gone' }), ['there is no file gone', true, undefined]);
    assert.deepEqual(await call('bash', { cmd: 'exit 3' }), ['', true, { type: 'Ran', stdout: '', exit_code: 3 }]);
    assert.match((await call('tail', {}))[0], /^there is no tool "tail"/);
  } finally {
    await client.close();
  }
});
