// How things are called and counted on the page.

import type { CallRecord, Evidence, Flag, GroupBy, Status } from 'toolprism';

/** The harnesses of the catalog, by the names that it shows them by; a test sees to it that these are the same. */
const harnesses: Record<string, string> = {
  claude_code: 'Claude Code',
  codex: 'Codex CLI',
  copilot_cli: 'GitHub Copilot CLI',
  gemini_cli: 'Gemini CLI',
  grok_build: 'Grok Build',
  kimi_cli: 'Kimi CLI',
  kimi_code: 'Kimi Code',
  opencode: 'OpenCode',
  pi: 'Pi',
  qwen_code: 'Qwen Code',
};

export const HARNESSES = Object.keys(harnesses);

export function harnessName(id: string | null | undefined): string {
  return id ? (harnesses[id] ?? id) : 'unknown agent';
}

export const GROUPINGS: [GroupBy, string][] = [
  ['label', 'Label'],
  ['name', 'Name'],
  ['kind', 'Kind'],
  ['server', 'Server'],
  ['path', 'Path'],
  ['harness', 'Agent'],
];

export const STATUSES: [Status, string][] = [
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['rejected', 'Rejected'],
  ['cancelled', 'Cancelled'],
  ['unresolved', 'No result'],
  ['in_progress', 'Running'],
  ['pending', 'Pending'],
];

export function statusName(status: Status): string {
  return STATUSES.find(([known]) => known === status)?.[1] ?? status;
}

/** Whether a call ended with an error, or was refused. */
export function isBad(status: Status): boolean {
  return status === 'failed' || status === 'rejected';
}

const evidence: Record<Evidence, string> = {
  envelope: 'The log carries an envelope at this call, and it is taken at its word.',
  catalog: 'The catalog has this name among the tools of this agent.',
  mcp_name: 'The name is that of an MCP server’s tool, so it is shown by its server and counts as “Tool”.',
  acp_name: 'The stable tool name that ACP carries is in the catalog.',
  vendor_meta: 'The agent’s own metadata names the tool.',
  variant: 'The arguments carry a tag that says which tool’s they are.',
  catalog_name: 'No agent is named, but every tool of this name in the catalog has this label.',
  shape: 'The name is not known. The arguments look like those of such a tool: a guess.',
  acp_kind: 'The name is not known. ACP’s kind says this much: a guess.',
  nothing: 'Nothing says what this tool is, so it is called “Tool”.',
};

export function whyText(why: Evidence): string {
  return evidence[why] ?? why;
}

const flags: Record<Flag, string> = {
  orphan: 'Its announcement is missing: only later records speak of it.',
  announced_again: 'It was announced more than once.',
  late_event: 'Something was said of it after its end, and left aside.',
  envelope_conflict: 'A later envelope named another tool, and was left aside.',
  input_pending: 'Its arguments had not come when it began.',
  reused_id: 'Another call has the same id.',
  swept: 'Its turn ended before it did.',
  streaming: 'Its arguments are still streaming.',
  incomplete_input: 'Its arguments end in the middle.',
  broken_input: 'Its arguments are no JSON.',
};

export function flagText(flag: Flag): string {
  return flags[flag] ?? flag;
}

const numbers = new Intl.NumberFormat('en');

export function count(n: number, one: string, many = `${one}s`): string {
  return `${numbers.format(n)} ${n === 1 ? one : many}`;
}

export function figure(n: number): string {
  return numbers.format(n);
}

export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %';
  const share = (100 * part) / whole;
  return share < 1 ? '< 1 %' : `${Math.round(share)} %`;
}

export function size(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte');
  const units = ['kB', 'MB', 'GB'];
  let [value, unit] = [bytes / 1000, 0];
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

export function duration(ms: number | null): string {
  if (ms === null) return '';
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  // Rounded first: 59.7 s are a minute, and no minute has 60 s.
  const s = Math.round(ms / 1000);
  if (s < 60) return ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : `${s} s`;
  const min = Math.floor(s / 60);
  if (min < 60) return `${min} min ${s % 60} s`;
  const h = Math.floor(min / 60);
  return h < 48 ? `${h} h ${min % 60} min` : `${Math.round(h / 24)} days`;
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/** A time of a log; undefined for one that is none to a browser, as in the year 10000. */
function dateOf(time: string | null): Date | undefined {
  const date = new Date(time ?? NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

export function timeOf(time: string | null): string {
  const date = dateOf(time);
  return date ? clock.format(date) : '';
}

export function moment(time: string | null): string {
  const date = dateOf(time);
  return date ? `${day.format(date)}, ${clock.format(date)}` : (time ?? 'not recorded');
}

export function span(from: string | null, to: string | null): string {
  if (!to || from === to) return moment(from);
  const [start, end] = [dateOf(from), dateOf(to)];
  const last = start && end && day.format(start) === day.format(end) ? timeOf(to) : moment(to);
  return `${moment(from)} – ${last}`;
}

/** Where a call stands: its file and line, or byte where there are no lines. */
export function place(call: Pick<CallRecord, 'file' | 'line' | 'offset'>): string {
  const where = call.line > 0 ? `line ${figure(call.line)}` : `byte ${figure(call.offset)}`;
  return call.file ? `${call.file}, ${where}` : where;
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
