// The hooks on a server, where nothing may be waited for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { useToolCalls as useMessages } from 'toolprism/ai-sdk';
import { LiveCalls } from 'toolprism/live';
import { useGroups, useRuns, useToolCalls } from 'toolprism/react';

const part = { type: 'tool-Read', toolCallId: 'c1', state: 'output-available', input: { file_path: 'a.txt' }, output: '' };
const messages = [{ id: 'm1', role: 'assistant', parts: [{ type: 'text', text: 'hello' }, part] }];

const shown = (use) => renderToString(createElement(() => use()));

test('the calls of messages are in the first page already', () => {
  const html = shown(() => {
    const toolCalls = useMessages(messages);
    return createElement('p', null, toolCalls.live.line, useGroups(toolCalls).map((group) => group.key), useRuns(toolCalls).length);
  });
  assert.match(html.replaceAll('<!-- -->', ''), /<p>Read 1 filelabel:Read1<\/p>/);
});

test('a stream is not read on the server, and a live one is shown as it stands', () => {
  let read = false;
  const stream = { async *[Symbol.asyncIterator]() { read = true; yield {}; } };
  assert.equal(shown(() => useToolCalls(stream, { wire: 'ai_sdk' }).calls.length), '0');
  assert.equal(read, false);
  const live = new LiveCalls({ wire: 'ai_sdk' }).push(part);
  assert.equal(shown(() => useToolCalls(live).calls[0].label), 'Read');
  assert.equal(shown(() => useGroups(live)[0].value), 'Read');
});

test('the element can be imported where there is no page', async () => {
  const { ToolCallsElement } = await import('toolprism/element');
  assert.equal(typeof ToolCallsElement, 'function');
});
