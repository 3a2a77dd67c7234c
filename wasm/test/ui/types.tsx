// How the types are to be used; it only has to compile.
import * as acp from '@agentclientprotocol/sdk';
import { useChat } from '@ai-sdk/react';
import { tapped } from 'toolprism/acp';
import { useToolCalls as useMessages } from 'toolprism/ai-sdk';
import { useToolCalls as useThread } from 'toolprism/assistant-ui';
import type { ToolCallsElement } from 'toolprism/element';
import { LiveCalls, ToolprismError, type LiveCall } from 'toolprism/live';
import { useGroups, useRuns, useToolCalls } from 'toolprism/react';

export function Chat() {
  const { messages } = useChat();
  const toolCalls = useMessages(messages);
  const names: string[] = useGroups(toolCalls, 'kind').map((group) => `${group.value}: ${group.count}, ${group.failed} failed`);
  return <p title={toolCalls.error?.message}>{names} {toolCalls.calls.map((call) => call.subject ?? call.name)}</p>;
}

export function Thread() {
  return <p>{useRuns(useThread()).map((run) => run.line)}</p>;
}

export function Own({ live, stream }: { live: LiveCalls; stream: ReadableStream<Uint8Array> }) {
  const { calls } = useToolCalls(live);
  useToolCalls(stream, { wire: 'openai_chat', framing: 'sse' });
  // @ts-expect-error A stream says nothing of what it is.
  useToolCalls(stream);
  return <p>{calls.length}</p>;
}

export function element(host: HTMLElementTagNameMap['tool-calls'], live: LiveCalls): ToolCallsElement {
  host.source = live;
  host.source = { live };
  // @ts-expect-error Calls alone cannot be followed.
  host.source = live.calls;
  return host;
}

export function words(call: LiveCall): string {
  if (call.status === 'failed') return call.error ?? 'failed';
  // @ts-expect-error What is shown cannot be changed.
  call.status = 'completed';
  return `${call.verb} ${call.subject ?? ''}`;
}

export function agent(output: WritableStream<Uint8Array>, input: ReadableStream<Uint8Array>) {
  const { stream, live } = tapped(acp.ndJsonStream(output, input));
  acp.client({ name: 'client' }).connect(stream);
  try {
    live.push({ jsonrpc: '2.0' }).endTurn({ cancelled: true });
  } catch (error) {
    if (error instanceof ToolprismError && error.kind === 'not_json') return undefined;
  }
  // @ts-expect-error There is no such wire.
  return new LiveCalls({ wire: 'pigeon' });
}
