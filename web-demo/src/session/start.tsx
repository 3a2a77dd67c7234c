import { type ReactNode, useRef, useState } from 'react';
import { type Gathered, ofList } from '../scan/files';
import { SAMPLES } from './samples';

const places: [string, string][] = [
  ['Claude Code', '~/.claude/projects'],
  ['Codex', '~/.codex/sessions'],
  ['Grok Build', '~/.grok/sessions'],
  ['Gemini CLI', '~/.gemini/tmp/<project>/chats'],
  ['OpenCode', 'opencode export > session.json'],
];

/** What there is to do before a log is open. */
export function Start({ onFiles, onSample, children }: {
  onFiles: (gathered: Gathered) => void;
  onSample: (id: string) => void;
  children?: ReactNode;
}) {
  const [pasting, setPasting] = useState(false);
  return (
    <div className="start">
      <section className="hero">
        <h1>See what your coding agent did</h1>
        <p className="lead">
          Drop a session log anywhere on this page. You get its tool calls, grouped and explained, the same way for every agent.
          Nothing is uploaded.
        </p>
        <div className="actions">
          <Picker onFiles={onFiles} kind="files" primary>
            Choose files
          </Picker>
          <Picker onFiles={onFiles} kind="folder">
            Choose a folder
          </Picker>
          <button type="button" aria-expanded={pasting} onClick={() => setPasting(!pasting)}>
            Paste text
          </button>
        </div>
        {pasting && <Paste onFiles={onFiles} />}
        {children}
      </section>
      <section aria-labelledby="samples">
        <h2 id="samples">No log at hand? Open a genuine session</h2>
        <ul className="samples">
          {SAMPLES.map(({ id, name, about }) => (
            <li key={id}>
              <button type="button" onClick={() => onSample(id)}>
                <strong>{name}</strong>
                <span>{about}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <details className="where">
        <summary>Where agents keep their logs</summary>
        <dl>
          {places.map(([agent, path]) => (
            <div key={agent}>
              <dt>{agent}</dt>
              <dd>
                <code>{path}</code>
              </dd>
            </div>
          ))}
        </dl>
        <p className="soft">
          A file may also hold ACP messages, one a line, of any agent. Logs compressed by gzip are read as they are. Folders whose names
          begin with a dot are hidden in many dialogs: drop them here instead.
        </p>
      </details>
    </div>
  );
}

/** A button that opens the browser's dialog for files or a folder. */
export function Picker({ onFiles, kind, primary = false, children }: {
  onFiles: (gathered: Gathered) => void;
  kind: 'files' | 'folder';
  primary?: boolean;
  children: ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={primary ? 'primary' : undefined} onClick={() => input.current?.click()}>
        {children}
      </button>
      <input
        ref={(element) => {
          input.current = element;
          if (element && kind === 'folder') element.webkitdirectory = true;
        }}
        type="file"
        multiple
        hidden
        data-testid={`pick-${kind}`}
        onChange={({ target }) => {
          onFiles(ofList([...(target.files ?? [])]));
          // The same file may be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}

function Paste({ onFiles }: { onFiles: (gathered: Gathered) => void }) {
  const [text, setText] = useState('');
  return (
    <form
      className="paste"
      onSubmit={(event) => {
        event.preventDefault();
        onFiles({ sources: [{ name: 'pasted text', blob: new Blob([text]) }], passed: 0 });
      }}
    >
      <label>
        A log, or some lines of one
        <textarea rows={6} value={text} spellCheck={false} autoFocus onChange={({ target }) => setText(target.value)} />
      </label>
      <button type="submit" className="primary" disabled={text.trim() === ''}>
        Read it
      </button>
    </form>
  );
}
