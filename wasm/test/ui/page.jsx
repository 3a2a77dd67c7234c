// What the browser test looks at: each part is asked for by its name in the address.
import { memo, startTransition, StrictMode, Suspense, use, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useChat } from '@ai-sdk/react';
import { AssistantRuntimeProvider, ThreadPrimitive, useLocalRuntime } from '@assistant-ui/react';
import { useToolCalls as useMessages } from 'toolprism/ai-sdk';
import { useToolCalls as useThreadCalls } from 'toolprism/assistant-ui';
import 'toolprism/element';
import { LiveCalls } from 'toolprism/live';
import { useGroups, useRuns, useToolCalls } from 'toolprism/react';

const called = (toolCallId, toolName, input) => ({ type: 'tool-input-available', toolCallId, toolName, input });
const answered = (toolCallId) => ({ type: 'tool-output-available', toolCallId, output: 'x' });

const live = new LiveCalls({ wire: 'ai_sdk', now: null });
Object.assign(globalThis, { live, messages: { called, answered }, drawn: [] });

const Row = memo(function Row({ call }) {
  useEffect(() => {
    globalThis.drawn.push(call.id);
  });
  return <li>{call.verb} {call.subject} ({call.status})</li>;
});

const GroupName = memo(function GroupName({ group }) {
  useEffect(() => {
    globalThis.drawn.push(group.key);
  });
  return <li>{group.value} × {group.count}</li>;
});

function List({ toolCalls }) {
  const [groups, runs] = [useGroups(toolCalls), useRuns(toolCalls)];
  return (
    <>
      <p id="line">{toolCalls.live.line}</p>
      <p id="error">{toolCalls.error?.message}</p>
      <ul id="groups">{groups.map((group) => <GroupName key={group.key} group={group} />)}</ul>
      <p id="runs">{runs.length}</p>
      <ol id="calls">{toolCalls.calls.map((call) => <Row key={call.at} call={call} />)}</ol>
    </>
  );
}

/** A list of a thousand calls, in which one changes. */
function Many() {
  return <List toolCalls={useToolCalls(live)} />;
}
function fill(live) {
  for (let i = 0; i < 1000; i++) live.push(called(`c${i}`, i % 2 ? 'Bash' : 'Read', { file_path: `f${i}`, command: `ls ${i}` }));
}

/** A stream, which strict mode must not read twice. */
const stream = new ReadableStream({
  start(controller) {
    globalThis.send = (message) => controller.enqueue(message);
    globalThis.fail = (error) => controller.error(new Error(error));
    globalThis.close = () => controller.close();
  },
});
function Stream() {
  return <List toolCalls={useToolCalls(stream, { wire: 'ai_sdk' })} />;
}

/** Messages in a list that grows, and is cut. */
function Updates() {
  const [updates, setUpdates] = useState([called('c1', 'Read', { file_path: 'a' })]);
  globalThis.setUpdates = setUpdates;
  return <List toolCalls={useToolCalls(updates, { wire: 'ai_sdk' })} />;
}

/** A list that grows in a transition, which waits for something else. */
function Transition() {
  const [updates, setUpdates] = useState([called('c1', 'Read', { file_path: 'a' })]);
  const [wait, setWait] = useState(undefined);
  globalThis.renders = (globalThis.renders ?? 0) + 1;
  globalThis.grow = () => {
    const waiting = new Promise((done) => { globalThis.goOn = done; });
    startTransition(() => {
      setUpdates((known) => [...known, called('c2', 'Bash', { command: 'ls' }), null, { get type() { throw new Error('mine'); } }]);
      setWait(waiting);
    });
  };
  const toolCalls = useToolCalls(updates, { wire: 'ai_sdk' });
  return <Suspense><Waiting on={wait} /><List toolCalls={toolCalls} /></Suspense>;
}
function Waiting({ on }) {
  return on === undefined ? null : use(on);
}

/** The Vercel AI SDK's chat, with a model that is none. */
function Chat() {
  const { messages, sendMessage } = useChat({
    transport: {
      async sendMessages() {
        return new ReadableStream({
          start(controller) {
            globalThis.chunk = (chunk) => controller.enqueue(chunk);
            globalThis.finish = () => controller.close();
            controller.enqueue({ type: 'start', messageId: 'm1' });
          },
        });
      },
      async reconnectToStream() {
        return null;
      },
    },
  });
  const toolCalls = useMessages(messages);
  return (
    <>
      <button onClick={() => sendMessage({ text: 'go' })}>Send</button>
      <List toolCalls={toolCalls} />
    </>
  );
}

/** assistant-ui, with a model that is none. */
const model = {
  async *run() {
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'bash', args: { command: 'ls -la' }, argsText: '{"command":"ls -la"}' };
    yield { content: [{ type: 'text', text: 'Looking' }, call] };
    await new Promise((done) => { globalThis.goOn = done; });
    yield { content: [{ type: 'text', text: 'Looking' }, { ...call, result: 'a.txt' }] };
  },
};
function Assistant() {
  const runtime = useLocalRuntime(model);
  globalThis.ask = () => runtime.thread.append({ role: 'user', content: [{ type: 'text', text: 'go' }] });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root><ThreadCalls /></ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}
function ThreadCalls() {
  return <List toolCalls={useThreadCalls()} />;
}

/** The element alone. */
function Element() {
  return <tool-calls ref={(element) => { if (element) element.source = live; }} />;
}

const parts = { many: Many, stream: Stream, updates: Updates, transition: Transition, chat: Chat, assistant: Assistant, element: Element };
const name = new URLSearchParams(location.search).get('part');
const Part = parts[name];
if (name === 'many') fill(live);

function Page() {
  useEffect(() => {
    globalThis.ready = true;
  });
  return <Part />;
}
createRoot(document.getElementById('page')).render(<StrictMode><Page /></StrictMode>);
