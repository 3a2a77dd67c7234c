import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { duration, figure, harnessName, isBad, statusName, timeOf } from '../names';
import { plain } from '../parts/json';
import type { Row, RunRow, Selection } from '../scan/worker';
import { type Line, linesOf, rowsOf, runsOf, useRows } from './rows';

const ROW = 38;
/** Browsers do not draw elements higher than some 17 million pixels. */
const MOST_LINES = 400_000;

/** The calls in their order, as a list that only has what is on the screen. */
export function Timeline({ selection, folded, opened, onOpen, onClear, ref }: {
  selection: Selection;
  folded: boolean;
  opened: number | undefined;
  onOpen: (number: number) => void;
  onClear: () => void;
  ref: Ref<HTMLDivElement>;
}) {
  const list = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => list.current as HTMLDivElement);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [active, setActive] = useState(0);
  const lines = useMemo(() => linesOf(selection, folded, open), [selection, folded, open]);
  const rowAt = useRows(selection.version, selection.count, rowsOf);
  const runAt = useRows(selection.version, selection.starts.length, runsOf);
  const count = Math.min(lines.count, MOST_LINES);
  const rows = useVirtualizer({ count, getScrollElement: () => list.current, estimateSize: () => ROW, overscan: 12 });

  if (selection.count === 0) {
    return (
      <div className="nothing">
        <p>No call fits these filters.</p>
        <button type="button" onClick={onClear}>
          Clear filters
        </button>
      </div>
    );
  }

  const toggle = (run: number) => {
    const next = new Set(open);
    if (!next.delete(run)) next.add(run);
    setOpen(next);
  };
  const act = (line: Line) => {
    if (line.run) return toggle(line.run.index);
    const row = rowAt(line.place);
    if (row) onOpen(row.number);
  };
  const move = (to: number) => {
    const next = Math.max(0, Math.min(count - 1, to));
    setActive(next);
    rows.scrollToIndex(next);
  };
  const key = (event: KeyboardEvent) => {
    const line = lines.at(active);
    const page = Math.floor((list.current?.clientHeight ?? ROW) / ROW);
    const moves: Record<string, () => void> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      PageDown: () => move(active + page),
      PageUp: () => move(active - page),
      Home: () => move(0),
      End: () => move(count - 1),
      Enter: () => act(line),
      ' ': () => act(line),
      ArrowRight: () => line.run && !line.run.open && toggle(line.run.index),
      ArrowLeft: () => line.run?.open && toggle(line.run.index),
    };
    const done = moves[event.key];
    if (!done || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    done();
  };

  return (
    <>
      <div
        ref={list}
        className="timeline"
        role="tree"
        aria-label="Calls in their order"
        tabIndex={0}
        aria-activedescendant={`line-${active}`}
        onKeyDown={key}
        data-testid="timeline"
        style={{ height: rows.getTotalSize() + 2 }}
      >
        <div role="presentation" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const line = lines.at(index);
            const row = rowAt(line.place);
            return (
              <div
                key={index}
                id={`line-${index}`}
                role="treeitem"
                aria-selected={row !== undefined && !line.run && row.number === opened}
                aria-level={line.inRun ? 2 : 1}
                aria-setsize={count}
                aria-posinset={index + 1}
                aria-expanded={line.run ? line.run.open : undefined}
                className="line"
                data-active={index === active || undefined}
                data-run={line.run ? '' : undefined}
                data-status={line.run ? undefined : row?.status}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => {
                  setActive(index);
                  act(line);
                }}
              >
                {row ? line.run ? <RunLine row={row} run={runAt(line.run.index)} length={line.run.length} open={line.run.open} /> : <CallLine row={row} /> : <span className="skeleton" />}
              </div>
            );
          })}
        </div>
      </div>
      {lines.count > MOST_LINES && (
        <p className="soft">The first {figure(MOST_LINES)} lines are shown. Fold runs, or narrow the calls down, to see the others.</p>
      )}
    </>
  );
}

function CallLine({ row }: { row: Row }) {
  return (
    <>
      <time>{timeOf(row.started_at)}</time>
      <span className="mark" aria-hidden="true" />
      <span className="label">{plain(row.label)}</span>
      <span className="subject">{plain(row.subject || row.name)}</span>
      <span className="tags">
        {!row.known && <span className="tag warn">unknown</span>}
        {row.status !== 'completed' && <span className={isBad(row.status) ? 'tag bad' : 'tag'}>{statusName(row.status)}</span>}
      </span>
      <Agent row={row} />
      <span className="took">{duration(row.duration_ms)}</span>
    </>
  );
}

function RunLine({ row, run, length, open }: { row: Row; run: RunRow | undefined; length: number; open: boolean }) {
  return (
    <>
      <time>{timeOf(row.started_at)}</time>
      <span className="fold" aria-hidden="true">
        {open ? '▾' : '▸'}
      </span>
      <span className="label">
        {plain(row.label)} <span className="times">× {figure(length)}</span>
      </span>
      <span className="subject">{plain(row.subject || row.name)} …</span>
      <span className="tags">{run && run.failed > 0 && <span className="tag bad">{figure(run.failed)} failed</span>}</span>
      <Agent row={row} />
      <span className="took">{run ? duration(run.duration_ms) : ''}</span>
    </>
  );
}

function Agent({ row }: { row: Row }) {
  return <span className="agent">{row.agent ? `subagent ${plain(row.agent)}` : plain(harnessName(row.harness))}</span>;
}
