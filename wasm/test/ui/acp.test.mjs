// `toolprism/acp` between the official SDK's client and agent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as acp from '@agentclientprotocol/sdk';
import { tapped } from 'toolprism/acp';

/** A client and an agent that talk through two pipes of bytes, with the tap on the client's side. */
async function talk(prompt, client = acp.client({ name: 'client' })) {
  const [there, back] = [new TransformStream(), new TransformStream()];
  const agent = acp.agent({ name: 'agent' })
    .onRequest('initialize', () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {}, agentInfo: { name: 'opencode', version: '1.18.33' } }))
    .onRequest('session/new', () => ({ sessionId: 's1' }))
    .onRequest('session/prompt', async ({ params, client }) => prompt((update) => client.notify('session/update', { sessionId: params.sessionId, update }), client));
  agent.connect(acp.ndJsonStream(back.writable, there.readable));
  const { stream, live } = tapped(acp.ndJsonStream(there.writable, back.readable), { now: null });
  const seen = [];
  const app = client.onNotification('session/update', ({ params }) => seen.push(params.update));
  const answer = await app.connectWith(stream, async (agentSide) => {
    await agentSide.request('initialize', { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
    const { sessionId } = await agentSide.request('session/new', { cwd: '/', mcpServers: [] });
    return agentSide.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
  });
  return { live, seen, answer };
}

test('calls are seen on their way, and the messages arrive unchanged', async () => {
  const updates = [
    { sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'bash', kind: 'execute', status: 'pending', rawInput: {} },
    { sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'in_progress', rawInput: { command: 'ls', description: 'List' }, title: 'List' },
    { sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' },
    { sessionUpdate: 'tool_call', toolCallId: 'c2', title: 'read', kind: 'read', status: 'in_progress', rawInput: { filePath: 'a.txt' } },
  ];
  const { live, seen, answer } = await talk(async (send) => {
    for (const update of updates) await send(update);
    return { stopReason: 'end_turn' };
  });
  assert.deepEqual(seen, updates);
  assert.deepEqual(answer, { stopReason: 'end_turn' });
  assert.deepEqual(
    live.calls.map((call) => [call.harness, call.name, call.label, call.subject, call.status]),
    [['opencode', 'bash', 'Run Command', 'ls', 'completed'], ['opencode', 'read', 'Read', 'a.txt', 'unresolved']],
  );
});

test('a cancelled turn, and a permission that comes before its call', async () => {
  const client = acp.client({ name: 'client' }).onRequest('session/request_permission', () => ({ outcome: { outcome: 'cancelled' } }));
  const { live } = await talk(async (_, client) => {
    await client.request('session/request_permission', {
      sessionId: 's1',
      toolCall: { toolCallId: 'c1', title: 'bash', kind: 'execute', rawInput: { command: 'rm a' } },
      options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
    });
    return { stopReason: 'cancelled' };
  }, client);
  assert.deepEqual(live.calls.map((call) => [call.label, call.subject, call.status]), [['Run Command', 'rm a', 'cancelled']]);
});

test('what cannot be understood goes its way', async () => {
  const [there, back] = [new TransformStream(), new TransformStream()];
  const { stream, live } = tapped({ readable: back.readable, writable: there.writable });
  const odd = { jsonrpc: '2.0', method: 'session/update', params: { get update() { throw new Error('mine'); } } };
  const writer = back.writable.getWriter();
  const read = stream.readable.getReader().read();
  await writer.write(odd);
  assert.equal((await read).value, odd);
  assert.equal(live.size, 0);
});
