import { useEffect, useState } from 'react';
import type { Query, Status, Summary } from 'toolprism';
import { STATUSES, count, figure, harnessName } from '../names';
import { plain } from '../parts/json';
import type { Narrow } from '../scan/worker';

export function Filters({ query, onQuery, narrow, onClear, summary, sessions, folded, onFolded, shown }: {
  query: Query;
  onQuery: (query: Query) => void;
  narrow: Narrow | undefined;
  onClear: () => void;
  summary: Summary;
  sessions: { value: string; calls: number }[];
  folded: boolean;
  onFolded: (folded: boolean) => void;
  shown: number | undefined;
}) {
  const [text, setText] = useState(query.text ?? '');
  useEffect(() => setText(query.text ?? ''), [query.text]);
  useEffect(() => {
    if (text === (query.text ?? '')) return;
    const timer = setTimeout(() => onQuery({ ...query, text: text || undefined }), 120);
    return () => clearTimeout(timer);
  }, [text, query, onQuery]);

  const set = (some: Query) => onQuery({ ...query, ...some });
  const statuses = STATUSES.filter(([status]) => summary[status] > 0);
  const filtered = narrow !== undefined || Object.values(query).some((value) => value !== undefined);
  return (
    <div className="filters" role="search">
      <input
        type="search"
        value={text}
        placeholder="Search paths, commands, errors, ids"
        aria-label="Search calls"
        onChange={({ target }) => setText(target.value)}
      />
      <Choice
        label="Status"
        all="Any status"
        value={query.status as string | undefined}
        options={statuses.map(([status, name]) => [status, `${name} (${figure(summary[status])})`])}
        onChange={(status) => set({ status: status as Status | undefined })}
      />
      {summary.harnesses.length > 1 && (
        <Choice
          label="Agent"
          all="Any agent"
          value={query.harness as string | undefined}
          options={summary.harnesses.flatMap(({ harness, calls }) => (harness === null ? [] : [[harness, `${plain(harnessName(harness))} (${figure(calls)})`]]))}
          onChange={(harness) => set({ harness })}
        />
      )}
      {sessions.length > 1 && (
        <Choice
          label="Session"
          all="Any session"
          value={query.session as string | undefined}
          options={sessions.map(({ value, calls }) => [value, `${plain(value.slice(0, 60))} (${figure(calls)})`])}
          onChange={(session) => set({ session })}
        />
      )}
      <Toggle on={query.read_only === false} onChange={(on) => set({ read_only: on ? false : undefined })}>
        Changes something
      </Toggle>
      {summary.unknown > 0 && (
        <Toggle on={query.known === false} onChange={(on) => set({ known: on ? false : undefined })}>
          Unknown tool
        </Toggle>
      )}
      <Toggle on={folded} onChange={onFolded}>
        Fold runs
      </Toggle>
      <p className="found" role="status">
        {shown === undefined ? 'Looking…' : shown === summary.calls ? count(shown, 'call') : `${figure(shown)} of ${count(summary.calls, 'call')}`}
        {filtered && (
          <button
            type="button"
            className="link"
            onClick={() => {
              // Also what was typed a moment ago, and is not searched for yet.
              setText('');
              onClear();
            }}
          >
            Clear filters
          </button>
        )}
      </p>
    </div>
  );
}

function Choice({ label, all, value, options, onChange }: {
  label: string;
  all: string;
  value: string | undefined;
  options: string[][];
  onChange: (value: string | undefined) => void;
}) {
  return (
    <select aria-label={label} value={value ?? ''} onChange={({ target }) => onChange(target.value || undefined)} data-set={value !== undefined || undefined}>
      <option value="">{all}</option>
      {options.map(([name, title]) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  );
}

function Toggle({ on, onChange, children }: { on: boolean; onChange: (on: boolean) => void; children: string }) {
  return (
    <button type="button" className="toggle" aria-pressed={on} onClick={() => onChange(!on)}>
      {children}
    </button>
  );
}
