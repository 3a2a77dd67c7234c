import { useCallback, useEffect, useRef, useState } from 'react';
import type { GroupBy, Query } from 'toolprism';
import { count, fileName, size } from '../names';
import { plain } from '../parts/json';
import { Notice } from '../parts/notice';
import { reader } from '../scan/client';
import type { Gathered } from '../scan/files';
import type { Narrow, Overview, Selection } from '../scan/worker';
import { CallPanel } from './call';
import { Export } from './export';
import { Filters } from './filters';
import { Groups } from './groups';
import { Damage, Figures } from './summary';
import { Picker } from './start';
import { Timeline } from './timeline';

/** A log that has been read. */
export function Log({ overview, passed, onFiles, onClose }: {
  overview: Overview;
  passed: number;
  onFiles: (gathered: Gathered, add?: boolean) => void;
  onClose: () => void;
}) {
  const [query, setQuery] = useState<Query>({});
  const [by, setBy] = useState<GroupBy>('label');
  const [narrow, setNarrow] = useState<Narrow>();
  const [folded, setFolded] = useState(true);
  const [selection, setSelection] = useState<Selection>();
  const [opened, setOpened] = useState<number>();
  const [fault, setFault] = useState<string>();
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let current = true;
    reader()
      .select(query, by, narrow)
      .then((found) => current && setSelection(found), (error: unknown) => current && setFault(String(error)));
    return () => {
      current = false;
    };
  }, [overview, query, by, narrow]);

  const closeCall = useCallback(() => {
    setOpened(undefined);
    list.current?.focus();
  }, []);

  const { summary, files } = overview;
  const bytes = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  const title = files.length === 1 ? fileName(files[0]?.file ?? '') : count(files.length, 'file');
  const clear = () => {
    setQuery({});
    setNarrow(undefined);
  };

  return (
    <div className="log">
      <header className="log-head">
        <div>
          <h1>{plain(title)}</h1>
          <p className="soft">
            {size(bytes)}
            {passed + overview.passed > 0 && `, ${count(passed + overview.passed, 'other file')} passed over`}
          </p>
        </div>
        <div className="actions">
          <Picker kind="files" onFiles={(gathered) => onFiles(gathered, true)}>
            Add files
          </Picker>
          <Export files={files} />
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </header>
      {overview.stopped && (
        <Notice kind="warning" title="Reading was stopped">
          <p>What follows is what was read until then.</p>
        </Notice>
      )}
      {fault && (
        <Notice kind="error" title="The log cannot be shown any more">
          <p>{fault}</p>
        </Notice>
      )}
      {summary.calls === 0 ? <NoCalls overview={overview} /> : <Figures overview={overview} onUnknown={() => setQuery({ known: false })} />}
      <Damage files={files} />
      {summary.calls > 0 && (
        <div className="columns">
          <Groups
            groups={selection?.groups}
            by={by}
            onBy={(next) => {
              setBy(next);
              setNarrow(undefined);
            }}
            narrow={narrow}
            onNarrow={setNarrow}
          />
          <section className="calls" aria-labelledby="calls">
            <h2 id="calls">Calls</h2>
            <Filters
              query={query}
              onQuery={setQuery}
              narrow={narrow}
              onClear={clear}
              summary={summary}
              sessions={overview.sessions}
              folded={folded}
              onFolded={setFolded}
              shown={selection?.count}
            />
            {selection && (
              <Timeline ref={list} key={selection.version} selection={selection} folded={folded} opened={opened} onOpen={setOpened} onClear={clear} />
            )}
          </section>
        </div>
      )}
      {opened !== undefined && selection && <CallPanel number={opened} selection={selection} onOpen={setOpened} onClose={closeCall} />}
    </div>
  );
}

function NoCalls({ overview: { files } }: { overview: Overview }) {
  const known = files.some((file) => file.format !== null);
  return (
    <Notice kind="info" title="No tool calls in there">
      <p>
        {known
          ? 'The log was read, but its agent called no tools in it.'
          : 'This is no log that can be read: it is neither a session of Claude Code, Codex, Grok Build, OpenCode or Gemini CLI, nor ACP messages.'}
      </p>
    </Notice>
  );
}
