// The bridge and the official SDK: our server under its client, and its server under our client.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const example = (name) => join(process.env.EXAMPLES, process.platform === 'win32' ? `${name}.exe` : name);

async function connected(work) {
  const transport = new StdioClientTransport({ command: example('mcp_server'), stderr: 'pipe' });
  let errors = '';
  transport.stderr.on('data', (data) => (errors += data));
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  try {
    return await work(client, () => errors);
  } finally {
    await client.close();
  }
}

const file = join(import.meta.dirname, 'words.txt');
writeFileSync(file, 'one two\ntwo\n');

test('the SDK\'s client lists what is served', () =>
  connected(async (client) => {
    assert.deepEqual(client.getServerVersion(), { name: 'example', version: '1.0.0' });
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => [tool.name, tool.annotations.readOnlyHint]), [['count', true], ['tick', false]]);
    assert.deepEqual(tools[0].inputSchema.required, ['path', 'words']);
    assert.equal(tools[0].inputSchema.properties.path.description, 'The file to look in.');
    assert.deepEqual(tools[1].inputSchema.properties, {});
  }));

test('it calls rightly, leniently and wrongly', () =>
  connected(async (client) => {
    const call = (args) => client.callTool({ name: 'count', arguments: args });
    const right = await call({ path: file, words: ['one', 'two'] });
    assert.equal(right.isError, false);
    assert.deepEqual(right.structuredContent, { type: 'Counted', counts: [1, 2] });
    assert.deepEqual(right.content, [{ type: 'text', text: '{"counts":[1,2]}' }]);
    assert.deepEqual(right._meta['x.ai/tool'], {
      version: 1, name: 'count', kind: 'search', namespace: 'example', label: 'Search', read_only: true,
      input: { path: file },
    });
    const lenient = await call({ path: file, words: 'two', lines: '1' });
    assert.deepEqual(lenient.structuredContent.counts, [1]);
    const wrong = await call({ words: true, lines: -1 });
    assert.equal(wrong.isError, true);
    assert.equal(wrong.structuredContent.kind, 'invalid_arguments');
    assert.match(wrong.content[0].text, /^invalid arguments: 3 problems\n/);
    assert.equal(wrong._meta['x.ai/tool'].name, 'count');
    const failed = await call({ path: 'no such file', words: [] });
    assert.equal(failed.isError, true);
    assert.match(failed.content[0].text, /^no such file: /);
    await assert.rejects(client.callTool({ name: 'no_such_tool' }), (error) => {
      assert.equal(error.code, -32602);
      assert.match(error.message, /there is no tool "no_such_tool": call one of count, tick/);
      return true;
    });
  }));

// (Of progress that comes in one piece with the result, the SDK's client drops what it has not yet looked at.)
test('it gets progress, and cancels', { timeout: 60_000 }, () =>
  connected(async (client, errors) => {
    const seen = [];
    const abort = new AbortController();
    const onprogress = ({ progress, message }) => {
      seen.push([progress, message]);
      if (progress === 3) abort.abort('enough');
    };
    await assert.rejects(client.callTool({ name: 'tick', arguments: {} }, undefined, { onprogress, signal: abort.signal }));
    assert.deepEqual(seen.slice(0, 3), [[1, 'tick'], [2, 'tick'], [3, 'tick']]);
    while (!errors().includes('tick is stopped')) await new Promise((resolve) => setTimeout(resolve, 5));
    await client.ping();
  }));

function through(tool, args) {
  const command = [tool, JSON.stringify(args), process.execPath, join(import.meta.dirname, 'server.mjs')];
  const run = spawnSync(example('mcp_client'), command, { encoding: 'utf8', timeout: 60_000 });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout.trim().split('\n').map((line) => JSON.parse(line));
}

test('a server made with the SDK is one of a registry', () => {
  const updates = through('mcp__srv__add', { a: '2', b: 3.0 });
  assert.deepEqual(updates.map((update) => update.status), [
    'pending', 'in_progress', 'in_progress', 'in_progress', 'in_progress', 'completed',
  ]);
  const shown = updates.map((update) => update.content?.[0].content.text);
  assert.deepEqual(shown, [undefined, undefined, 'one', 'two', 'three', '5']);
  for (const update of updates) {
    const envelope = { ...update._meta['x.ai/tool'] };
    delete envelope.input;
    assert.deepEqual(envelope, {
      version: 1, name: 'mcp__srv__add', kind: 'other', namespace: 'mcp', label: 'Tool', read_only: false,
    });
  }
  assert.deepEqual(updates.at(-1).rawOutput, {
    type: 'MCP', content: [{ type: 'text', text: '5' }], structuredContent: { sum: 5 },
  });
});

test('its errors, refusals and death are failed calls', () => {
  const failed = through('mcp__srv__fail', {}).at(-1);
  assert.deepEqual([failed.status, failed.content[0].content.text], ['failed', 'it went wrong']);
  const refused = through('mcp__srv__add', { a: 'x' });
  assert.deepEqual(refused.map((update) => update.status), ['pending', 'failed']);
  assert.equal(refused[1].rawOutput.kind, 'invalid_arguments');
  assert.equal(through('mcp__srv__die', {}).at(-1).rawOutput.kind, 'service_unavailable');
  assert.equal(through('mcp__srv__nothing', {}).at(-1).rawOutput.kind, 'not_found');
});
