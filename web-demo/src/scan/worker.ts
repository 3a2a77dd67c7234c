// Reads logs and answers questions about them, away from the page. It holds the calls; the page asks for those it shows.

import { expose } from 'comlink';
import type { GroupBy, Query, Scan, ScanCall, ScanReport, Summary } from 'toolprism';
import { type Source, pieces, slices } from './files';
import { MOST_GROUPS } from './limits';
import { onLines, recordAtFront } from './record';

// Not imported at once: messages that come while a worker's modules load would be lost.
const toolprism = import('toolprism');

/** Groups have so many points of activity. */
const BINS = 32;
/** How much of a record of a log is shown. */
const MOST_RECORD = 200_000;
/** How many records of one call are shown. */
const MOST_RECORDS = 20;
/** What a row shows of a text: no name of a log may make the page slow. */
const MOST_TEXT = 300;
/** Sessions to choose from. */
const MOST_SESSIONS = 200;
/** Calls written at a time. */
const WRITTEN = 2_000;

export interface Progress {
  file: string;
  files: number;
  done: number;
  bytes: number;
  total: number;
  calls: number;
}

export interface Overview {
  summary: Summary;
  /** What became of each file. */
  files: FileReport[];
  /** How many calls were left out since another file has them as well. */
  copies: number;
  /** How many files of folders are no logs. */
  passed: number;
  /** The sessions, the largest first. */
  sessions: { value: string; calls: number }[];
  /** Whether reading was stopped before its end. */
  stopped: boolean;
}

/** A call as a row of the time line. */
export interface Row {
  number: number;
  label: string;
  name: string;
  subject: string;
  status: ScanCall['status'];
  harness: string | null;
  agent: string | null;
  started_at: string | null;
  duration_ms: number | null;
  known: boolean;
  read_only: boolean;
  flags: string[];
}

/** A run as a row of the time line. */
export interface RunRow {
  failed: number;
  duration_ms: number;
}

/** What became of one file. */
export type FileReport = ScanReport['files'][number];

/** A group, with its activity. */
export type Grouped = ReturnType<typeof groupsOf>[number];

function groupsOf(scan: Scan, by: GroupBy, calls: Uint32Array) {
  return scan.groups(by, { calls, bins: BINS, brief: true, to: MOST_GROUPS });
}

/** A group that the time line is narrowed down to. */
export interface Narrow {
  by: GroupBy;
  value: string;
}

/** What calls are selected, in runs. */
export interface Selection {
  /** Answers about an older selection are of no use. */
  version: number;
  count: number;
  /** Where each run starts among the selected calls. */
  starts: Uint32Array;
  /** The groups of what fits the query, also of what is narrowed away. */
  groups: Grouped[];
}

export interface LogRecord {
  line: number;
  offset: number;
  phase: string;
  text: string;
  whole: boolean;
}

/** All that is known of one call. */
export interface Detail {
  call: ScanCall;
  /** The arguments as the log has them; null where there are none. */
  raw_input: string | null;
  records: LogRecord[];
  more_records: number;
}

export type ExportKind = 'calls.json' | 'calls.csv' | 'groups.json' | 'groups.csv';

class Reading {
  #scan: Scan | undefined;
  #files = new Map<string, Source>();
  /** Which reading is the last one that was asked for. */
  #turn = 0;
  #stopped = false;
  #selected: Uint32Array = new Uint32Array();
  #version = 0;
  #by: GroupBy = 'label';
  #detail = 0;

  /** Reads these files in place of those that were open; undefined if others were asked for in the meantime. */
  async read(sources: Source[], progress: (progress: Progress) => void): Promise<Overview | undefined> {
    const { Scan } = await toolprism;
    const turn = ++this.#turn;
    const isOver = () => this.#stopped || turn !== this.#turn;
    const scan = new Scan();
    const files = new Map(named(sources).map((source) => [source.name, source]));
    const total = sources.reduce((sum, { blob }) => sum + blob.size, 0);
    let [before, done, told] = [0, 0, 0];
    this.#stopped = false;
    for (const source of files.values()) {
      if (isOver()) break;
      scan.begin(source.name);
      let bytes = 0;
      try {
        for await (const piece of pieces(source)) {
          scan.push(piece);
          bytes += piece.length;
          if (isOver()) break;
          if (performance.now() - told > 50) {
            told = performance.now();
            const { size } = source.blob;
            progress({ file: source.name, files: sources.length, done, bytes: before + Math.min(bytes, size), total, calls: scan.size });
          }
        }
      } catch (error) {
        scan.fail(said(error));
      }
      before += source.blob.size;
      done += 1;
    }
    if (turn !== this.#turn) {
      scan.free();
      return undefined;
    }
    this.#scan?.free();
    this.#scan = scan.finish();
    this.#files = files;
    const sessions = scan.groups('session', { to: MOST_SESSIONS, brief: true }).map(({ value, calls }) => ({ value, calls }));
    const report = scan.report();
    // What lay in a folder and is no log was looked at, and is none of its loss.
    const logs = report.files.filter(({ file, format, error }) => format !== null || error !== null || !files.get(file)?.found);
    const passed = report.files.length - logs.length;
    return { summary: scan.summary(), files: logs, copies: report.copies, passed, sessions, stopped: this.#stopped };
  }

  /** Ends reading where it stands; what was read until then stays. */
  stop(): void {
    this.#stopped = true;
  }

  close(): void {
    this.#scan?.free();
    this.#scan = undefined;
    this.#files.clear();
  }

  select(query: Query, by: GroupBy, narrow?: Narrow): Selection {
    const scan = this.#open();
    const fitting = scan.select(query);
    const calls = narrow ? within(fitting, scan.select({ [narrow.by]: narrow.value })) : fitting;
    this.#selected = calls;
    this.#by = by;
    this.#version += 1;
    const starts = scan.runStarts('label', { calls });
    return { version: this.#version, count: calls.length, starts, groups: groupsOf(scan, by, fitting) };
  }

  /** The selected calls from one place to before another; none if the selection is another by now. */
  rows(version: number, from: number, to: number): Row[] | undefined {
    if (version !== this.#version) return undefined;
    const numbers = this.#selected.subarray(from, to);
    return this.#open()
      .calls(numbers)
      .map((call, at) => row(call, numbers[at] ?? 0));
  }

  /** The runs of the selected calls, as `rows`. */
  runs(version: number, from: number, to: number): RunRow[] | undefined {
    if (version !== this.#version) return undefined;
    const runs = this.#open().runs('label', { calls: this.#selected, from, to, brief: true });
    return runs.map(({ failed, rejected, duration_ms }) => ({ failed: failed + rejected, duration_ms }));
  }

  /** Where a call stands in the selection. */
  place(number: number): number {
    return this.#selected.indexOf(number);
  }

  number(place: number): number | undefined {
    return this.#selected[place];
  }

  /** One call, looked up again in its file; undefined if another one was asked for in the meantime. */
  async detail(number: number): Promise<Detail | undefined> {
    const { CallFinder } = await toolprism;
    const asked = ++this.#detail;
    const [call] = this.#open().calls([number]);
    const source = call && this.#files.get(call.file ?? '');
    if (!call || !source) return undefined;
    const finder = new CallFinder(call);
    try {
      for await (const piece of pieces(source)) {
        finder.push(piece);
        if (asked !== this.#detail) return undefined;
      }
    } catch {
      // A damaged archive: what it holds up to there was read before, too.
    }
    const { places, call: found } = finder.finish();
    finder.free();
    const seen = new Set<number>();
    const own = places.filter(({ offset }) => !seen.has(offset) && seen.add(offset));
    const records: LogRecord[] = [];
    const shown = own.slice(0, MOST_RECORDS);
    const texts = await slices(source, shown.map(({ offset }) => offset), MOST_RECORD);
    for (const [at, { line, offset, phase }] of shown.entries()) {
      const { text, whole } = recordAtFront(new TextDecoder().decode(texts[at]));
      records.push({ line, offset, phase, text: whole ? onLines(text) : text, whole });
    }
    return { call, raw_input: found?.raw_input_text ?? null, records, more_records: own.length - records.length };
  }

  /** The selected calls, or their groups, as a file. */
  written(kind: ExportKind): Blob {
    const scan = this.#open();
    const calls = this.#selected;
    if (kind === 'groups.json') return new Blob([JSON.stringify(scan.groups(this.#by, { calls }), null, 2), '\n']);
    if (kind === 'groups.csv') return new Blob([scan.groupsCsv(this.#by, { calls })]);
    const parts: string[] = [];
    for (let from = 0; from < calls.length || from === 0; from += WRITTEN) {
      const some = calls.subarray(from, from + WRITTEN);
      if (kind === 'calls.csv') {
        const text = scan.csv(some);
        parts.push(from === 0 ? text : text.slice(text.indexOf('\n') + 1));
      } else {
        parts.push(...scan.calls(some).map((call, at) => `${from + at === 0 ? '[' : ','}\n${JSON.stringify(call)}`));
      }
    }
    if (kind === 'calls.json') parts.push(calls.length === 0 ? '[]\n' : '\n]\n');
    return new Blob(parts);
  }

  /** A file anew, with an envelope at each of its calls. */
  async stamped(name: string): Promise<{ blob: Blob; stamped: number }> {
    const { Stamper } = await toolprism;
    const source = this.#files.get(name);
    if (!source) throw new Error(`${name} is not open`);
    // Twice, since what comes late in a log tells what its first calls are.
    let stamper = new Stamper();
    for await (const piece of pieces(source)) stamper.push(piece);
    stamper.finish();
    stamper = new Stamper(stamper);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of pieces(source)) parts.push(stamper.push(piece) as Uint8Array<ArrayBuffer>);
    const { bytes, stamped } = stamper.finish();
    stamper.free();
    return { blob: new Blob([...parts, bytes as Uint8Array<ArrayBuffer>]), stamped };
  }

  #open(): Scan {
    if (!this.#scan) throw new Error('no log is open');
    return this.#scan;
  }
}

/** The sources under names of their own: two files that were dropped may have the same. */
function named(sources: Source[]): Source[] {
  const taken = new Set(sources.map(({ name }) => name));
  const seen = new Map<string, number>();
  return sources.map((source) => {
    const { name } = source;
    let count = (seen.get(name) ?? 0) + 1;
    // A file may be called as another one would be to tell it apart.
    while (count > 1 && taken.has(`${name} (${count})`)) count += 1;
    seen.set(name, count);
    const own = count === 1 ? name : `${name} (${count})`;
    taken.add(own);
    return { ...source, name: own };
  });
}

/** The calls of one list that are in the other, too; both are in order. */
function within(calls: Uint32Array, others: Uint32Array): Uint32Array {
  let at = 0;
  return calls.filter((call) => {
    while (at < others.length && (others[at] ?? 0) < call) at += 1;
    return others[at] === call;
  });
}

function clip(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}

function row(call: ScanCall, number: number): Row {
  const { status, started_at, duration_ms, known, read_only, flags } = call;
  return {
    number,
    label: clip(call.label),
    name: clip(call.name),
    subject: clip(call.subject ?? ''),
    status,
    harness: call.harness && clip(call.harness),
    agent: call.agent && clip(call.agent),
    started_at,
    duration_ms,
    known,
    read_only,
    flags,
  };
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export type { Reading };
expose(new Reading());
