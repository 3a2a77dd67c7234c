import { useEffect, useMemo, useState } from 'react';
import { PartialInput, type PartialIdentity, type PartialState } from 'toolprism';
import { HARNESSES, count } from '../names';
import { Field, Select } from '../parts/choice';
import { Editor } from '../parts/editor';
import { Json, frontOf, plain, pretty } from '../parts/json';
import { Notice } from '../parts/notice';
import { View } from '../parts/view';
import { useShared } from '../share';
import { cut } from './cuts';

interface Played {
  text: string;
  mode: string;
  harness: string;
  name: string;
  cut: string;
  speed: string;
}

const settings = { mode: 'strict', cut: '4', speed: '20' };
const examples: [string, Played][] = [
  ['Write a file', { ...settings, harness: 'claude_code', name: 'Write', text: '{"file_path": "src/hello.rs", "content": "fn main() {\\n    println!(\\"Grüße, 世界 👋\\");\\n}\\n"}' }],
  ['Run a command', { ...settings, harness: 'codex', name: 'exec_command', text: '{"cmd": "cargo test --workspace", "workdir": "/project", "yield_time_ms": 1000}' }],
  ['As a sloppy model writes', { ...settings, mode: 'lenient', harness: 'claude_code', name: 'Bash', text: 'Sure, here it is:\n```json\n{"command": "ls -la", "description": "List files",}\n```' }],
  ['Cut off', { ...settings, harness: 'claude_code', name: 'Read', text: '{"file_path": "/project/src/li' }],
];
/** A text is cut into no more pieces than this, whatever was chosen. */
const MOST_DELTAS = 20_000;

/** So much is shown before and after the place that the stream is at, and of one projected value: a page of more would not move. */
const MOST_AROUND = 4_000;

const initial = (examples[0] as [string, Played])[1];

interface Step {
  visible: unknown;
  identity: PartialIdentity | undefined;
  state: PartialState;
}

/** What is there after so many deltas. Pushing costs what the text costs, so each step may be played from the front. */
function stepOf(played: Played, pieces: Uint8Array[], at: number): Step | { fault: string } {
  let input: PartialInput | undefined;
  try {
    // A link may name a mode that there is not.
    input = new PartialInput({ mode: played.mode as 'strict' | 'lenient' | 'text' });
    for (const piece of pieces.slice(0, at)) input.push(piece);
    if (at === pieces.length) input.finish();
    return {
      visible: input.visible(),
      identity: input.identify({ harness: played.harness || null, name: played.name || null }),
      state: input.state,
    };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  } finally {
    input?.free();
  }
}

const states: Record<PartialState['state'], string> = {
  open: 'open: more may come',
  complete: 'complete',
  incomplete: 'incomplete: the end came too early, so it must not run',
  broken: 'broken',
};

export default function Stream() {
  const [played, change, linkFault] = useShared('stream', initial);
  const [at, setAt] = useState(0);
  const [playing, setPlaying] = useState(false);
  const size = Math.max(1, Number(played.cut) || 1, Math.ceil(played.text.length / MOST_DELTAS));
  const pieces = useMemo(() => cut(played.text, size), [played.text, size]);
  const step = useMemo(() => stepOf(played, pieces, at), [played, pieces, at]);

  // What is played changes: begin again.
  useEffect(() => {
    setAt(0);
    setPlaying(false);
  }, [pieces]);

  useEffect(() => {
    if (!playing) return;
    if (at >= pieces.length) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => setAt(at + 1), 1000 / (Number(played.speed) || 20));
    return () => clearTimeout(timer);
  }, [playing, at, pieces.length, played.speed]);

  const play = () => {
    if (at >= pieces.length) setAt(0);
    setPlaying(!playing);
  };

  return (
    <View
      title="Stream"
      lead="Arguments come in pieces. This is what can be shown of them after each piece; nothing that was shown is taken back."
      examples={examples}
      onChoose={change}
      linkFault={linkFault}
    >
      <section className="card" aria-label="The stream">
        <div className="fields">
          <Field label="Tool name" value={played.name} onChange={(name) => change({ name })} />
          <Field label="Agent" value={played.harness} suggestions={HARNESSES} placeholder="not known" onChange={(harness) => change({ harness })} />
          <Select label="Read as" value={played.mode} options={[['strict', 'JSON'], ['lenient', 'JSON as models write it'], ['text', 'bare text']]} onChange={(mode) => change({ mode })} />
          <Select label="Cut every" value={played.cut} options={[['1', '1 byte'], ['2', '2 bytes'], ['4', '4 bytes'], ['8', '8 bytes'], ['32', '32 bytes']]} onChange={(next) => change({ cut: next })} />
          <Select label="Speed" value={played.speed} options={[['5', '5 a second'], ['20', '20 a second'], ['60', '60 a second']]} onChange={(speed) => change({ speed })} />
        </div>
        <h2>Argument text</h2>
        <Editor label="Argument text" language="text" value={played.text} onChange={(text) => change({ text })} />
        <div className="player">
          <button type="button" className="primary" onClick={play} disabled={pieces.length === 0}>
            {playing ? 'Pause' : at >= pieces.length && pieces.length > 0 ? 'Play again' : 'Play'}
          </button>
          <button type="button" onClick={() => setAt(Math.max(0, at - 1))} disabled={at === 0}>
            Back
          </button>
          <button type="button" onClick={() => setAt(Math.min(pieces.length, at + 1))} disabled={at === pieces.length}>
            Step
          </button>
          <input type="range" min={0} max={pieces.length} value={at} aria-label="Deltas so far" onChange={({ target }) => {
            setPlaying(false);
            setAt(Number(target.value));
          }} />
          <output>
            {at} of {count(pieces.length, 'delta')}
          </output>
        </div>
      </section>
      {'fault' in step ? (
        <Notice kind="error" title="This cannot be played">
          <p>{plain(step.fault)}</p>
        </Notice>
      ) : (
        <Shown step={step} text={played.text} bytes={Math.min(at * size, new TextEncoder().encode(played.text).length)} />
      )}
    </View>
  );
}

function Shown({ step: { visible, identity, state }, text, bytes }: { step: Step; text: string; bytes: number }) {
  const arrived = useMemo(() => new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes), { stream: true }), [text, bytes]);
  const input = identity?.input ?? {};
  const rest = text.slice(arrived.length);
  const before = Math.max(0, arrived.length - MOST_AROUND);
  const after = Math.max(0, rest.length - MOST_AROUND);
  return (
    <div className="three" data-testid="step">
      <section className="card" aria-label="Arrived">
        <h2>Arrived</h2>
        <p className="arrived" data-testid="arrived">
          {before > 0 && <span className="soft">{count(before, 'character')} before this. </span>}
          <span className="come">{plain(arrived.slice(before))}</span>
          <span className="rest" aria-hidden="true">{plain(rest.slice(0, MOST_AROUND))}</span>
          {after > 0 && <span className="soft"> {count(after, 'character')} after this.</span>}
        </p>
        <p className={state.state === 'broken' || state.state === 'incomplete' ? 'hint bad' : 'hint'} data-testid="state">
          {states[state.state]}
          {state.fault && `: ${state.fault.message}, at byte ${state.fault.offset}`}
        </p>
      </section>
      <section className="card" aria-label="Visible">
        <h2>Visible</h2>
        {visible === null ? <p className="soft">Nothing yet.</p> : <Json label="Visible" text={pretty(visible)} />}
      </section>
      <section className="card" aria-label="Projected">
        <h2>
          Projected <span className="tag">{plain(identity?.label ?? 'Tool')}</span>
        </h2>
        {Object.keys(input).length === 0 ? (
          <p className="soft">Nothing yet.</p>
        ) : (
          <dl className="facts">
            {Object.entries(input).map(([field, value]) => {
              const growing = identity?.growing.some((name) => name === field);
              return (
                <div key={field}>
                  <dt>{field}</dt>
                  <dd className={growing ? 'growing' : undefined}>
                    {plain(frontOf(String(value), MOST_AROUND))}
                    {growing && <span className="tag">{state.state === 'incomplete' ? 'cut off' : 'growing'}</span>}
                  </dd>
                </div>
              );
            })}
          </dl>
        )}
      </section>
    </div>
  );
}
