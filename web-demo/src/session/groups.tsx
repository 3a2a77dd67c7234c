import { useState } from 'react';
import type { GroupBy } from 'toolprism';
import { GROUPINGS, count, duration, figure, harnessName, percent } from '../names';
import { plain } from '../parts/json';
import { MOST_GROUPS } from '../scan/limits';
import type { Grouped, Narrow } from '../scan/worker';

/** A table longer than this is shown in part at first. */
const FIRST = 30;

export function Groups({ groups, by, onBy, narrow, onNarrow }: {
  groups: Grouped[] | undefined;
  by: GroupBy;
  onBy: (by: GroupBy) => void;
  narrow: Narrow | undefined;
  onNarrow: (narrow: Narrow | undefined) => void;
}) {
  const [all, setAll] = useState(false);
  const [sort, setSort] = useState<Column>('calls');
  const title = GROUPINGS.find(([name]) => name === by)?.[1];
  const largest = Math.max(1, ...(groups ?? []).map((group) => group.calls));
  const shown = (groups ?? []).toSorted(orders[sort]).slice(0, all ? undefined : FIRST);
  return (
    <section className="groups" aria-labelledby="groups">
      <h2 id="groups">Groups</h2>
      <div className="segments" role="group" aria-label="Group calls by">
        {GROUPINGS.map(([name, title]) => (
          <button key={name} type="button" aria-pressed={name === by} onClick={() => onBy(name)}>
            {title}
          </button>
        ))}
      </div>
      <table data-testid="groups">
        <thead>
          <tr>
            <Sorted title={title ?? ''} column="value" sort={sort} onSort={setSort} />
            <Sorted title="Calls" column="calls" sort={sort} onSort={setSort} className="n" />
            <Sorted title="Failed" column="failed" sort={sort} onSort={setSort} className="n" />
            <Sorted title="Read-only" column="read_only_share" sort={sort} onSort={setSort} className="n wide" />
            <Sorted title="Time" column="duration_ms" sort={sort} onSort={setSort} className="n wide" />
            <th scope="col" className="wide">
              Activity
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((group) => {
            const { key, value, calls, failed, read_only, timed, duration_ms, longest_ms, activity } = group;
            const chosen = narrow?.by === by && narrow.value === value;
            return (
              <tr key={key} data-chosen={chosen || undefined}>
                <th scope="row">
                  <button type="button" className="group" aria-pressed={chosen} title={plain(value.slice(0, 500))} onClick={() => onNarrow(chosen ? undefined : { by, value })}>
                    <span>{plain((by === 'harness' ? harnessName(value) : value).slice(0, 200))}</span>
                  </button>
                  <Bar share={calls / largest} bad={failed / calls} />
                </th>
                <td className="n">{figure(calls)}</td>
                <td className={failed > 0 ? 'n bad' : 'n soft'}>{figure(failed)}</td>
                <td className="n wide soft">{percent(read_only, calls)}</td>
                <td className="n wide soft" title={timed > 0 ? `${count(timed, 'call')} with a duration, the longest ${duration(longest_ms)}` : 'no durations recorded'}>
                  {timed > 0 ? duration(duration_ms) : '–'}
                </td>
                <td className="wide">{activity && <Spark points={activity} />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {groups?.length === 0 && <p className="soft">No call has a {title?.toLowerCase()}.</p>}
      {groups && groups.length > shown.length && (
        <button type="button" className="small" onClick={() => setAll(true)}>
          Show all {figure(groups.length)}
        </button>
      )}
      {all && groups?.length === MOST_GROUPS && <p className="soft">The largest {figure(MOST_GROUPS)} are shown; an export has all of them.</p>}
    </section>
  );
}

type Column = 'value' | 'calls' | 'failed' | 'read_only_share' | 'duration_ms';

const orders: Record<Column, (a: Grouped, b: Grouped) => number> = {
  value: (a, b) => a.value.localeCompare(b.value),
  calls: (a, b) => b.calls - a.calls,
  failed: (a, b) => b.failed - a.failed,
  read_only_share: (a, b) => b.read_only_share - a.read_only_share,
  duration_ms: (a, b) => b.duration_ms - a.duration_ms,
};

/** The head of a column that the table can be sorted by. */
function Sorted({ title, column, sort, onSort, className }: {
  title: string;
  column: Column;
  sort: Column;
  onSort: (column: Column) => void;
  className?: string;
}) {
  const order = column === 'value' ? 'ascending' : 'descending';
  return (
    <th scope="col" className={className} aria-sort={sort === column ? order : undefined}>
      <button type="button" onClick={() => onSort(column)}>
        {title}
      </button>
    </th>
  );
}

/** How many calls a group has beside the largest one, and which part of them failed. The figures beside it say the same. */
function Bar({ share, bad }: { share: number; bad: number }) {
  const width = Math.max(1, 100 * share);
  return (
    <svg className="bar" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
      <rect className="track" width="100" height="3" rx="1" />
      <rect className="good" width={width} height="3" rx="1" />
      <rect className="bad" x={width * (1 - bad)} width={width * bad} height="3" rx="1" />
    </svg>
  );
}

/** When the calls were made. */
function Spark({ points }: { points: number[] }) {
  const top = Math.max(1, ...points);
  const step = 96 / points.length;
  return (
    <svg className="spark" viewBox="0 0 96 18" role="img" aria-label={`most at once: ${top}`}>
      {points.map((n, at) => {
        const height = n === 0 ? 0.75 : Math.max(1.5, (18 * n) / top);
        return <rect key={at} x={at * step} y={18 - height} width={step * 0.72} height={height} />;
      })}
    </svg>
  );
}
