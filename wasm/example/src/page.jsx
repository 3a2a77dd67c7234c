import { memo, StrictMode, useEffect, useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { LiveCalls } from 'toolprism/live';
import { useGroups, useToolCalls } from 'toolprism/react';
import 'toolprism/element';
import { sessions, wordsOf } from './sessions.js';

/** Every rendering of a row is counted, so that it can be seen that only the rows that change are drawn. */
const drawn = (globalThis.drawn = new Map());

function Page() {
  const [id, setId] = useState(() => new URLSearchParams(location.search).get('session') ?? sessions[0].id);
  const session = sessions.find((session) => session.id === id) ?? sessions[0];
  return (
    <main>
      <header>
        <h1>Tool calls in a chat</h1>
        <nav aria-label="Sessions">
          {sessions.map(({ id, name }) => (
            <button key={id} aria-pressed={id === session.id} onClick={() => setId(id)}>{name}</button>
          ))}
        </nav>
      </header>
      <Chat key={session.id} session={session} />
    </main>
  );
}

function Chat({ session }) {
  const [live] = useState(() => new LiveCalls(session.options));
  const [turns, setTurns] = useState([]);
  const player = usePlayer(session, live, setTurns);
  const toolCalls = useToolCalls(live);
  return (
    <>
      <Controls player={player} />
      <p className="line" data-testid="line">{live.line || 'No calls yet'}</p>
      <Groups toolCalls={toolCalls} />
      <div className="columns">
        <section aria-labelledby="chat-title">
          <h2 id="chat-title">The chat, with the hook</h2>
          <ol className="chat" data-testid="hook">
            {turns.map((turn, at) => (
              <Turn key={at} turn={turn} calls={toolCalls.calls} />
            ))}
          </ol>
        </section>
        <section aria-labelledby="element-title">
          <h2 id="element-title">The calls, with the element</h2>
          <tool-calls ref={(element) => { if (element) element.source = live; }} />
        </section>
      </div>
    </>
  );
}

/** What was said, and the calls that came after it. */
function Turn({ turn, calls }) {
  return (
    <li className={turn.from}>
      {turn.text && <p className="said">{turn.text}</p>}
      <ol className="calls">
        {calls.slice(turn.first, turn.end).map((call) => <Row key={call.at} call={call} />)}
      </ol>
    </li>
  );
}

const Row = memo(function Row({ call }) {
  drawn.set(call.at, (drawn.get(call.at) ?? 0) + 1);
  return (
    <li className="call" data-status={call.status} data-call={call.id}>
      <span className="verb">{call.verb}</span> <bdi className="subject">{call.subject}</bdi> <span className="status">{call.status.replace('_', ' ')}</span>
    </li>
  );
});

function Groups({ toolCalls }) {
  const groups = useGroups(toolCalls);
  return (
    <ul className="groups" data-testid="groups">
      {groups.map((group) => (
        <li key={group.key} title={group.line}>{group.value} <b>{group.count}</b>{group.failed > 0 && <em> {group.failed} failed</em>}</li>
      ))}
    </ul>
  );
}

function Controls({ player }) {
  return (
    <div className="controls">
      <button onClick={player.playing ? player.pause : player.play} disabled={player.ended || player.length === 0}>{player.playing ? 'Pause' : 'Play'}</button>
      <button onClick={() => player.step(1)} disabled={player.ended || player.length === 0}>Step</button>
      <button onClick={() => player.step(Infinity)} disabled={player.ended || player.length === 0}>To the end</button>
      <progress value={player.at} max={player.length || 1} aria-label="Messages replayed" />
      <span>{player.at} of {player.length} messages</span>
    </div>
  );
}

/** Replays the messages of a session, by hand or at a steady pace. */
function usePlayer(session, live, setTurns) {
  const [messages, setMessages] = useState([]);
  const [at, setAt] = useState(0);
  const [playing, setPlaying] = useState(false);
  const place = useRef(0);
  useEffect(() => {
    session.messages().then(setMessages);
  }, [session]);
  const step = useMemo(() => (count) => {
    const end = Math.min(messages.length, place.current + count);
    for (; place.current < end; place.current++) {
      const message = messages[place.current];
      live.push(message);
      const [said, { size }] = [wordsOf(message), live];
      setTurns((turns) => told(turns, said, size));
    }
    if (end === messages.length && end > 0) live.endTurn();
    setAt(end);
  }, [messages, live, setTurns]);
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setInterval(() => step(1), 60);
    return () => clearInterval(timer);
  }, [playing, step]);
  const ended = messages.length > 0 && at >= messages.length;
  useEffect(() => {
    if (ended) setPlaying(false);
  }, [ended]);
  globalThis.step = step;
  return { at, length: messages.length, playing, ended, step, play: () => setPlaying(true), pause: () => setPlaying(false) };
}

/** The turns with what was said after them; calls belong to the turn that they come in. */
function told(turns, said, calls) {
  const last = turns.at(-1) ?? { from: 'agent', text: '', first: 0, end: 0 };
  const before = turns.slice(0, -1);
  if (said === undefined) return last.end === calls && turns.length > 0 ? turns : [...before, { ...last, end: calls }];
  if (last.from === said.from && last.first === last.end && turns.length > 0) return [...before, { ...last, text: last.text + said.text }];
  return [...turns, { ...said, first: last.end, end: calls }];
}

createRoot(document.getElementById('page')).render(<StrictMode><Page /></StrictMode>);
