import type { ReactNode } from 'react';
import { count, duration, figure, harnessName, percent, size, span } from '../names';
import { plain } from '../parts/json';
import type { FileReport, Overview } from '../scan/worker';

/** The figures of all calls. */
export function Figures({ overview, onUnknown }: { overview: Overview; onUnknown: () => void }) {
  const { summary, files, copies } = overview;
  const unread = files.reduce((sum, file) => sum + (file.quarantined_bytes ?? 0), 0);
  return (
    <dl className="summary" data-testid="summary">
      <Figure name="Calls" value={figure(summary.calls)}>
        {copies > 0 && `${count(copies, 'copy', 'copies')} left out`}
      </Figure>
      <Figure name="Failed" value={figure(summary.failed)} tone={summary.failed > 0 ? 'bad' : undefined}>
        {percent(summary.failed, summary.calls)}
        {summary.rejected > 0 && `, ${figure(summary.rejected)} rejected`}
      </Figure>
      <Figure name="Read-only" value={percent(summary.read_only, summary.calls)}>
        {count(summary.read_only, 'call')}
      </Figure>
      <Figure name="Sessions" value={figure(summary.sessions)} />
      <Figure name={summary.harnesses.length === 1 ? 'Agent' : 'Agents'} value={summary.harnesses.length > 2 ? figure(summary.harnesses.length) : summary.harnesses.map(({ harness }) => plain(harnessName(harness))).join(', ') || 'unknown'}>
        {summary.harnesses.length > 2 && summary.harnesses.slice(0, 3).map(({ harness }) => plain(harnessName(harness))).join(', ')}
      </Figure>
      <Figure name="Time in tools" value={summary.timed > 0 ? duration(summary.duration_ms) : '–'}>
        {span(summary.started_at, summary.ended_at)}
      </Figure>
      <Figure name="Unknown tools" value={figure(summary.unknown_tools.length)} tone={summary.unknown > 0 ? 'warn' : undefined}>
        {summary.unknown > 0 ? (
          <button type="button" className="link" onClick={onUnknown}>
            show their {count(summary.unknown, 'call')}
          </button>
        ) : (
          'every tool is known'
        )}
      </Figure>
      <Figure name="Not read" value={size(unread)} tone={unread > 0 ? 'warn' : undefined}>
        {unread > 0 ? 'damaged or foreign, listed below' : 'every byte was understood'}
      </Figure>
    </dl>
  );
}

function Figure({ name, value, tone, children }: { name: string; value: string; tone?: 'bad' | 'warn'; children?: ReactNode }) {
  return (
    <div className={tone}>
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong>
        {children && <span>{children}</span>}
      </dd>
    </div>
  );
}

const MOST_SPANS = 50;

/** What could not be read, file by file. */
export function Damage({ files }: { files: FileReport[] }) {
  const hurt = files.filter((file) => file.error !== null || file.quarantined.length > 0);
  if (hurt.length === 0) return null;
  const spans = hurt.flatMap((file) => file.quarantined.map((span) => ({ file: file.file, ...span })));
  return (
    <details className="damage" open={hurt.some((file) => file.error !== null)}>
      <summary>{count(hurt.length, 'file')} could not be read in full</summary>
      <ul>
        {hurt
          .filter((file) => file.error !== null)
          .map((file) => (
            <li key={file.file}>
              <code>{plain(file.file)}</code> breaks off: {plain(file.error ?? '')}
            </li>
          ))}
        {spans.slice(0, MOST_SPANS).map(({ file, line, offset, bytes, message }) => (
          <li key={`${file}:${offset}`}>
            <code>{plain(file)}</code>, {line > 0 ? `line ${figure(line)}` : `byte ${figure(offset)}`}: {plain(message)} ({size(bytes)})
          </li>
        ))}
      </ul>
      {spans.length > MOST_SPANS && <p className="soft">and {figure(spans.length - MOST_SPANS)} more places</p>}
    </details>
  );
}
