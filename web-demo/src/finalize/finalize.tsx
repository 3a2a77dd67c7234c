import { useMemo } from 'react';
import { type Question, type Verdict, finalize } from 'toolprism';
import { Field, Select } from '../parts/choice';
import { Copy } from '../parts/copy';
import { Editor } from '../parts/editor';
import { Json, plain } from '../parts/json';
import { Notice } from '../parts/notice';
import { View } from '../parts/view';
import { useShared } from '../share';
import { onLines } from '../scan/record';
import { type Piece, compared } from './changes';
import { outcomes, reasonText, severityText } from './words';

interface Asked {
  name: string;
  tool: string;
  args: string;
  schema: string;
  stop: string;
  profile: string;
}

const schema = `{
  "type": "object",
  "properties": {
    "path": { "type": "string" },
    "max_lines": { "type": "integer" },
    "mode": { "enum": ["text", "binary"] }
  },
  "required": ["path"],
  "additionalProperties": false
}`;
const call = { name: 'read', tool: 'read', schema, stop: '', profile: 'guarded' };
const examples: [string, Asked][] = [
  ['Sloppy, but clear', { ...call, name: 'functions.read', args: "```json\n{'path': \"a.txt\", maxLines: \"5\", mode: \"TEXT\",}\n```" }],
  ['Right', { ...call, args: '{"path": "a.txt", "max_lines": 5}' }],
  ['Cut in the middle', { ...call, args: '{"path": "/srv/build' }],
  ['Cut by a limit', { ...call, stop: 'length', args: '{"path": "a.txt"' }],
  ['Does not fit', { ...call, args: '{"file": "a.txt", "max_lines": "many"}' }],
];
const initial = (examples[0] as [string, Asked])[1];

function judged({ name, tool, args, schema, stop, profile }: Asked): { verdict: Verdict } | { fault: string } {
  const question: Question = {
    tool_name: name,
    args,
    tools: [{ name: tool, ...(schema.trim() === '' ? {} : { parameters_text: schema }) }],
    ...(stop ? { stop } : {}),
  };
  try {
    return { verdict: finalize(question, { profile: profile as 'guarded' | 'reference' }) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

export default function Finalize() {
  const [state, change, linkFault] = useShared('finalize', initial);
  const answer = useMemo(() => judged(state), [state]);
  return (
    <View
      title="Finalize"
      lead="A completed call is judged before it runs: it passes, is rewritten where it has one reading, or is rejected with a reason."
      examples={examples}
      onChoose={change}
      linkFault={linkFault}
    >
      <div className="two">
        <section className="card" aria-label="The call">
          <div className="fields">
            <Field label="Called as" value={state.name} onChange={(name) => change({ name })} />
            <Field label="The tool’s name" value={state.tool} onChange={(tool) => change({ tool })} />
            <Select label="Profile" value={state.profile} options={[['guarded', 'guarded'], ['reference', 'reference']]} onChange={(profile) => change({ profile })} />
            <Select
              label="The model stopped"
              value={state.stop}
              options={[['', 'for a reason not known'], ['tool_calls', 'to call tools'], ['stop', 'by itself'], ['length', 'at its length limit']]}
              onChange={(stop) => change({ stop })}
            />
          </div>
          <h2>Arguments</h2>
          <Editor label="Arguments" language="text" value={state.args} onChange={(args) => change({ args })} />
          <h2>Schema</h2>
          <Editor label="Schema" value={state.schema} onChange={(schema) => change({ schema })} />
        </section>
        <section className="card" aria-label="The verdict" aria-live="polite" data-testid="verdict">
          {'fault' in answer ? (
            <Notice kind="error" title="This cannot be judged">
              <p>{plain(answer.fault)}</p>
            </Notice>
          ) : (
            <Judged verdict={answer.verdict} args={state.args} />
          )}
        </section>
      </div>
    </View>
  );
}

function Judged({ verdict, args }: { verdict: Verdict; args: string }) {
  const { outcome, reason, changes } = verdict;
  const rewritten = verdict.outcome === 'rewrite' ? verdict.args : undefined;
  const fault = verdict.outcome === 'reject' ? verdict.fault : null;
  const { title, text } = outcomes[outcome];
  const pieces = useMemo(() => (rewritten === undefined ? undefined : compared(args, rewritten, changes)), [args, rewritten, changes]);
  return (
    <>
      <p className={`verdict ${outcome}`}>
        <strong>{title}</strong>
      </p>
      <p>
        {text} {reasonText(reason)} <code className="code">{reason}</code>
      </p>
      {verdict.tool_name && (
        <p>
          Tool <code className="code">{plain(verdict.tool_name)}</code>
        </p>
      )}
      {fault && (
        <Notice kind="warning" title="What the model can be told">
          <p>
            {plain(fault.message)} <code className="code">{fault.code}</code>
          </p>
          <p className="soft">
            at {fault.path === '' ? 'the arguments' : <code className="code">{plain(fault.path)}</code>}, byte {fault.offset}
            {fault.change && `; the change ${fault.change} would mend it`}
          </p>
        </Notice>
      )}
      {rewritten !== undefined && (
        <>
          <header className="with-action">
            <h2>What changed</h2>
          </header>
          {pieces ? <Diff pieces={pieces} /> : <p className="soft">The texts differ too much to be compared.</p>}
          <header className="with-action">
            <h2>Arguments to run with</h2>
            <Copy text={() => rewritten} />
          </header>
          <Json label="Arguments to run with" text={onLines(rewritten)} />
        </>
      )}
      {changes.length > 0 && (
        <>
          <h2>{changes.length === 1 ? 'The change' : `The ${changes.length} changes`}</h2>
          <ol className="changes">
            {changes.map(({ code, severity, path, offset }, at) => (
              <li key={at}>
                <code className={`code ${severity}`}>{code}</code>
                <span>
                  {severityText(severity)}
                  <span className="soft">
                    {path === '' ? '' : ` at ${plain(path)}`}, byte {offset}
                  </span>
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function Diff({ pieces }: { pieces: Piece[] }) {
  return (
    <pre className="diff" tabIndex={0} role="region" aria-label="What changed" data-testid="diff">
      {pieces.map((piece, at) => {
        if (piece.is === 'mark') {
          return (
            <span key={at} className={`mark ${piece.change.severity}`}>
              {piece.change.code}
            </span>
          );
        }
        const text = plain(piece.text);
        return piece.is === 'gone' ? <del key={at}>{text}</del> : piece.is === 'new' ? <ins key={at}>{text}</ins> : <span key={at}>{text}</span>;
      })}
    </pre>
  );
}
