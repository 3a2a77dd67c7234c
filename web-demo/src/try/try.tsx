import { useMemo, useState } from 'react';
import { type Identity, identify } from 'toolprism';
import { HARNESSES, whyText } from '../names';
import { Field, Segments } from '../parts/choice';
import { Copy } from '../parts/copy';
import { Editor } from '../parts/editor';
import { Json, plain, pretty } from '../parts/json';
import { Notice } from '../parts/notice';
import { View } from '../parts/view';
import { useShared } from '../share';
import { type CallText, FACES } from './code';

const examples: [string, CallText][] = [
  ['Claude Code reads', { harness: 'claude_code', name: 'Read', version: '', input: '{\n  "file_path": "src/main.rs",\n  "offset": 40,\n  "limit": 20\n}' }],
  ['Codex runs', { harness: 'codex', name: 'shell', version: '', input: '{\n  "command": ["bash", "-lc", "cargo test"],\n  "workdir": "/project",\n  "timeout_ms": 60000\n}' }],
  ['Codex patches', { harness: 'codex', name: 'apply_patch', version: '', input: '{\n  "input": "*** Begin Patch\\n*** Update File: src/lib.rs\\n@@\\n-old\\n+new\\n*** End Patch"\n}' }],
  ['An MCP tool', { harness: 'claude_code', name: 'mcp__github__create_issue', version: '', input: '{\n  "title": "A bug",\n  "body": "It fails."\n}' }],
  ['A tool no one knows', { harness: '', name: 'frobnicate', version: '', input: '{\n  "file_path": "a.txt"\n}' }],
];
const initial = (examples[0] as [string, CallText])[1];

type Answer = { identity: Identity } | { fault: string };

function answerTo({ name, harness, version, input }: CallText): Answer {
  try {
    return { identity: identify({ name: name || null, harness: harness || null, version: version || null, raw_input: input }) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** What is wrong with JSON, in the browser's words; undefined if nothing is. */
function faultOf(input: string): string | undefined {
  try {
    JSON.parse(input);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export default function Try() {
  const [state, change, linkFault] = useShared('try', initial);
  const answer = useMemo(() => answerTo(state), [state]);
  const fault = useMemo(() => (state.input.trim() === '' ? undefined : faultOf(state.input)), [state.input]);
  return (
    <View
      title="Try a call"
      lead="Type a tool call as an agent makes it, and see what it is: its label, its envelope, and the small canonical input."
      examples={examples}
      onChoose={change}
      linkFault={linkFault}
    >
      <div className="two">
        <section className="card" aria-label="The call">
          <div className="fields">
            <Field label="Tool name" value={state.name} onChange={(name) => change({ name })} />
            <Field label="Agent" value={state.harness} suggestions={HARNESSES} placeholder="not known" onChange={(harness) => change({ harness })} />
            <Field label="Its version" value={state.version} placeholder="any" onChange={(version) => change({ version })} />
          </div>
          <h2>Raw input</h2>
          <Editor label="Raw input" value={state.input} onChange={(input) => change({ input })} />
          {fault && (
            <p className="hint" role="status">
              Not JSON as it stands ({plain(fault)}), so it counts as text.
            </p>
          )}
        </section>
        <section className="card" aria-label="What it is" aria-live="polite" data-testid="answer">
          {'fault' in answer ? (
            <Notice kind="error" title="This call cannot be read">
              <p>{plain(answer.fault)}</p>
            </Notice>
          ) : (
            <Answered identity={answer.identity} />
          )}
        </section>
      </div>
      <Code call={state} />
    </View>
  );
}

function Answered({ identity }: { identity: Identity }) {
  const { why, server, tool, ...envelope } = identity;
  return (
    <>
      <p className="verdict">
        <strong>{plain(envelope.label)}</strong>
        <span className="tag">{envelope.read_only ? 'read-only' : 'changes something'}</span>
        {why === 'shape' || why === 'acp_kind' || why === 'nothing' ? <span className="tag warn">unknown tool</span> : null}
      </p>
      <p>
        {whyText(why)} <code className="code">{why}</code>
      </p>
      {server !== undefined && (
        <p>
          Server <code className="code">{plain(server)}</code>, its tool <code className="code">{plain(tool)}</code>
        </p>
      )}
      <h2>Canonical input</h2>
      {envelope.input ? <Json label="Canonical input" text={pretty(envelope.input)} /> : <p className="soft">None: nothing in it has a stable meaning.</p>}
      <header className="with-action">
        <h2>Envelope</h2>
        <Copy text={() => pretty({ 'x.ai/tool': envelope })} />
      </header>
      <Json label="Envelope" text={pretty({ 'x.ai/tool': envelope })} />
    </>
  );
}

function Code({ call }: { call: CallText }) {
  const [id, setId] = useState('js');
  const face = FACES.find((known) => known.id === id) ?? FACES[0];
  if (!face) return null;
  const text = face.code(call);
  return (
    <section className="card" aria-label="The same in code">
      <header className="with-action">
        <h2>The same in code</h2>
        <Copy text={() => text} />
      </header>
      <Segments label="Language" options={FACES.map((known) => [known.id, known.title])} value={id} onChange={setId} />
      <p className="soft">
        <code className="code">{face.install}</code>
      </p>
      <Json label={`${face.title} code`} text={text} colour={false} />
    </section>
  );
}
