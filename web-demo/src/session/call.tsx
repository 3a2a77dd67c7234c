import { type ReactNode, useEffect, useRef, useState } from 'react';
import { duration, flagText, harnessName, isBad, moment, place, statusName, whyText } from '../names';
import { Copy } from '../parts/copy';
import { Json, frontOf, plain, pretty } from '../parts/json';
import { Notice } from '../parts/notice';
import { packed } from '../share';
import { reader } from '../scan/client';
import { onLines } from '../scan/record';
import type { Detail, LogRecord, Selection } from '../scan/worker';
import { envelopeOf } from './envelope';
import { reportOf } from './report';

/** One call, opened beside the time line. */
export function CallPanel({ number, selection, onOpen, onClose }: {
  number: number;
  selection: Selection;
  onOpen: (number: number) => void;
  onClose: () => void;
}) {
  const [found, setFound] = useState<{ number: number; detail: Detail }>();
  const [fault, setFault] = useState<string>();
  const panel = useRef<HTMLElement>(null);
  /** The call that the last step goes to, and the steps until there: those of quick clicks follow one another. */
  const target = useRef(number);
  const steps = useRef(Promise.resolve());

  useEffect(() => {
    let current = true;
    setFault(undefined);
    reader()
      .detail(number)
      .then((detail) => current && detail && setFound({ number, detail }), (error: unknown) => current && setFault(String(error)));
    return () => {
      current = false;
    };
  }, [number]);

  useEffect(() => panel.current?.focus(), []);
  useEffect(() => {
    const escape = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    addEventListener('keydown', escape);
    return () => removeEventListener('keydown', escape);
  }, [onClose]);

  useEffect(() => {
    target.current = number;
  }, [number]);
  const step = (by: number) => {
    steps.current = steps.current.then(async () => {
      const at = await reader().place(target.current);
      const next = at < 0 ? undefined : await reader().number(at + by);
      if (next === undefined) return;
      target.current = next;
      onOpen(next);
    });
  };
  // The call before stays until this one is found, so that the panel does not flicker, but not as if it were this one.
  const isFound = found?.number === number;

  return (
    <aside ref={panel} className="panel" tabIndex={-1} aria-label="Call" data-testid="call" data-number={isFound ? number : undefined} aria-busy={!isFound && !fault} key={selection.version}>
      <header>
        <div className="actions">
          <button type="button" className="small" onClick={() => step(-1)}>
            Previous
          </button>
          <button type="button" className="small" onClick={() => step(1)}>
            Next
          </button>
        </div>
        <button type="button" className="small" onClick={onClose}>
          Close
        </button>
      </header>
      {fault && <Notice kind="error" title="This call cannot be shown"><p>{fault}</p></Notice>}
      {found && (isFound || !fault) && <Shown detail={found.detail} />}
      {!found && !fault && <p className="loading">Looking it up in its file…</p>}
    </aside>
  );
}

function Shown({ detail }: { detail: Detail }) {
  const { call, raw_input, records } = detail;
  const [link, setLink] = useState<string>();
  const [report, setReport] = useState(false);
  const envelope = pretty({ 'x.ai/tool': envelopeOf(call) });
  useEffect(() => {
    const state = { name: call.name, harness: call.harness ?? '', version: call.version ?? '', input: raw_input ? onLines(raw_input) : '{}' };
    packed(state).then((text) => setLink(`#try:${text}`), () => setLink(undefined));
  }, [call, raw_input]);
  const { subject } = call;
  const result = records.findLast((record) => record.phase !== 'started');

  return (
    <>
      <h2>
        {plain(call.label)}
        {subject && <span className="subject">{plain(frontOf(subject, 300))}</span>}
      </h2>
      <p className="tags">
        <span className={isBad(call.status) ? 'tag bad' : 'tag'}>{statusName(call.status)}</span>
        <span className="tag">{call.read_only ? 'read-only' : 'changes something'}</span>
        {!call.known && <span className="tag warn">unknown tool</span>}
      </p>
      {call.error && (
        <Notice kind="error" title={call.exit_code === null ? 'Error' : `Error, exit code ${call.exit_code}`}>
          <pre>{plain(frontOf(call.error, 4_000))}</pre>
        </Notice>
      )}
      <Part title="Why it is called that">
        <p>
          {whyText(call.why)} <code className="code">{call.why}</code>
        </p>
        {call.flags.map((flag) => (
          <p key={flag}>
            {flagText(flag)} <code className="code">{flag}</code>
          </p>
        ))}
      </Part>
      <div className="beside">
        <Part title="Raw input">{raw_input ? <Json label="Raw input" text={onLines(raw_input)} /> : <p className="soft">None was recorded.</p>}</Part>
        <Part title="Canonical input">
          {call.input ? <Json label="Canonical input" text={pretty(call.input)} /> : <p className="soft">None: this tool has no field with a stable meaning.</p>}
        </Part>
      </div>
      <Part title="Envelope" action={<Copy text={() => envelope} />}>
        <Json label="Envelope" text={envelope} />
      </Part>
      <Part title="Facts">
        <dl className="facts">
          <Fact name="Tool">{call.name}</Fact>
          <Fact name="MCP server">{call.server}</Fact>
          <Fact name="Title">{call.title}</Fact>
          <Fact name="Agent">{[harnessName(call.harness), call.version].filter(Boolean).join(' ')}</Fact>
          <Fact name="Subagent">{call.agent}</Fact>
          <Fact name="Started by">{call.parent_id}</Fact>
          <Fact name="Session">{call.session}</Fact>
          <Fact name="Id">{call.id}</Fact>
          <Fact name="Started">{moment(call.started_at)}</Fact>
          <Fact name="Took">{duration(call.duration_ms) || null}</Fact>
          <Fact name="Exit code">{call.exit_code === null ? null : String(call.exit_code)}</Fact>
          <Fact name="Where">{place(call)}</Fact>
        </dl>
      </Part>
      {result && (
        <Part title="Result, as the log has it">
          <Record record={result} lineEnds />
        </Part>
      )}
      <Part title={`All records of this call (${records.length + detail.more_records})`}>
        {records.map((record) => (
          <details key={record.offset} className="record">
            <summary>
              {record.phase}, {record.line > 0 ? `line ${record.line}` : `byte ${record.offset}`}
            </summary>
            <Record record={record} />
          </details>
        ))}
        {detail.more_records > 0 && <p className="soft">{detail.more_records} more are not shown.</p>}
      </Part>
      <div className="actions">
        {link && (
          <a className="button" href={link}>
            Open in “Try a call”
          </a>
        )}
        <button type="button" aria-expanded={report} onClick={() => setReport(!report)}>
          {call.known ? 'Report a wrong label' : 'Report an unknown tool'}
        </button>
      </div>
      {report && (
        <Part title="What you can send" action={<Copy text={() => reportOf(call, raw_input)} />}>
          <p className="soft">Names and types only: no value of your log is in it. Read it before you send it.</p>
          <Json label="Report" text={reportOf(call, raw_input)} colour={false} />
        </Part>
      )}
    </>
  );
}

function Part({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className="part">
      <header>
        <h3>{title}</h3>
        {action}
      </header>
      {children}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: string | null }) {
  if (!children) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{plain(frontOf(children, 500))}</dd>
    </div>
  );
}

/** A record of the log; with `lineEnds`, the line ends inside of its texts are shown as such. */
function Record({ record, lineEnds = false }: { record: LogRecord; lineEnds?: boolean }) {
  const text = lineEnds ? record.text.replace(/\\(.)/g, (whole, c: string) => (c === 'n' ? '\n' : whole)) : record.text;
  return (
    <>
      <Json label={`Record at byte ${record.offset}`} text={text} colour={!lineEnds} />
      {!record.whole && <p className="soft">Only the front of this record is shown.</p>}
    </>
  );
}
