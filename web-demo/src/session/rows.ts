import { useEffect, useMemo, useRef, useState } from 'react';
import { reader } from '../scan/client';
import type { Row, RunRow, Selection } from '../scan/worker';

const PAGE = 100;
/** So many pages are kept: far more than fit on a screen. */
const MOST_PAGES = 100;

type Ask<T> = (version: number, from: number, to: number) => Promise<T[] | undefined>;

export const rowsOf: Ask<Row> = (version, from, to) => reader().rows(version, from, to);
export const runsOf: Ask<RunRow> = (version, from, to) => reader().runs(version, from, to);

/** Rows by their places, asked for as they come into view. Those that are not there yet are undefined. */
export function useRows<T>(version: number, count: number, asking: Ask<T>): (place: number) => T | undefined {
  const [, redraw] = useState(0);
  const pages = useRef(new Map<number, T[] | undefined>());
  const alive = useRef(true);
  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);

  return useMemo(() => {
    const kept = pages.current;
    const ask = async (page: number) => {
      kept.set(page, undefined);
      const rows = await asking(version, page * PAGE, Math.min(count, (page + 1) * PAGE));
      if (!rows || !alive.current) return;
      kept.set(page, rows);
      if (kept.size > MOST_PAGES) {
        const [oldest] = kept.keys();
        if (oldest !== undefined) kept.delete(oldest);
      }
      redraw((n) => n + 1);
    };
    return (place) => {
      const page = Math.floor(place / PAGE);
      if (!kept.has(page)) void ask(page);
      return kept.get(page)?.[place % PAGE];
    };
  }, [version, count, asking]);
}

/** A line of the time line: a call, or the head of a run of several. */
export interface Line {
  place: number;
  run?: { index: number; length: number; open: boolean };
  /** Whether it is a call below the head of its run. */
  inRun?: boolean;
}

/** The lines of a selection. */
export interface Lines {
  count: number;
  at(index: number): Line;
}

/** Each call on a line, or neighbouring calls of one label folded into one line; the runs that are open show their calls, too. */
export function linesOf({ count, starts }: Selection, folded: boolean, open: ReadonlySet<number>): Lines {
  if (!folded) return { count, at: (place) => ({ place }) };
  const end = (run: number) => starts[run + 1] ?? count;
  // A line is the number of its run, or of its call with the sign of a call.
  const lines: number[] = [];
  for (let index = 0; index < starts.length; index += 1) {
    lines.push(index);
    const from = starts[index] ?? 0;
    const to = end(index);
    if (open.has(index)) for (let place = from; place < to; place += 1) lines.push(-1 - place);
  }
  return {
    count: lines.length,
    at(at) {
      const line = lines[at] ?? 0;
      if (line < 0) return { place: -1 - line, inRun: true };
      const from = starts[line] ?? 0;
      const to = end(line);
      return to - from === 1 ? { place: from } : { place: from, run: { index: line, length: to - from, open: open.has(line) } };
    },
  };
}
