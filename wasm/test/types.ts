// Not run, only checked: what users write, and what must be an error.
import {
  CallFinder, CallLedger, type CallRecord, finalize, identify, parseMeta, PartialInput, readSession, Scan, type Session, Stamper,
  stampMeta, ToolprismError,
} from 'toolprism';
import { init } from 'toolprism/slim';

const call = identify({ harness: 'claude_code', name: 'Bash', raw_input: { command: 'ls' } });
const command: string | undefined = call.input?.command;
if (call.server !== undefined) {
  const tool: string = call.tool;
  void tool;
}
// @ts-expect-error `server` may be absent
const server: string = call.server;

const verdict = finalize({ tool_name: 'read', args: '{}', tools: ['read'] });
switch (verdict.outcome) {
  case 'pass': {
    const same: null = verdict.args;
    void same;
    break;
  }
  case 'reject': {
    const code: string | undefined = verdict.fault?.code;
    void code;
    break;
  }
  case 'rewrite': {
    const args: string | undefined = verdict.args;
    void args;
    break;
  }
  case 'unrepairable':
    break;
  default: {
    const nothing: never = verdict;
    void nothing;
  }
}
// @ts-expect-error a pass has no fault
if (verdict.outcome === 'pass') void verdict.fault;
// @ts-expect-error a question needs arguments
finalize({ tool_name: 'read', tools: [] });

const now: Session = readSession(new Uint8Array());
const later: Promise<Session> = readSession(new Blob([]));
const fromStream: Promise<Session> = readSession(new ReadableStream<Uint8Array>());
const records: CallRecord[] = new CallLedger({ raw_input: true }).push('').finish().calls();
const key: string | undefined = new CallLedger().groups('path')[0]?.key;
// @ts-expect-error no such way to group
new CallLedger().groups('colour');
// @ts-expect-error a log is bytes or text
readSession(5);

const scan = new Scan({ strict: true }).begin('a').push('').push(new Uint8Array()).fail('gone').finish();
const some: Uint32Array = scan.select({ label: ['Read', null], status: 'failed', flag: ['swept'], since: '2026-11-30', text: 'a b' });
const subjects: (string | null)[] = scan.calls().map((one) => one.subject);
const shown: CallRecord[] = scan.calls(some).concat(scan.calls(-5), scan.calls(0, 5), scan.calls([1, 2]));
const by: 'session' | undefined = scan.groups('session', { calls: some, bins: 60 })[0]?.by;
const activity: number[] | undefined = scan.groups()[0]?.activity;
const firsts: number[] = scan.runs('label', { calls: some, from: 0, to: 50, brief: true }).map((run) => run.first + run.failed);
const paths: number | undefined = scan.runs()[0]?.paths;
const tools: string[] = scan.summary({ calls: [0] }).unknown_tools.map((tool) => tool.name);
const gone: (string | null)[] = scan.report().files.map((file) => file.error);
const csv: string = scan.csv(some) + scan.csv(0, 9) + scan.groupsCsv('file') + scan.runStarts('kind').length;
// @ts-expect-error there is no such member
scan.select({ lable: 'Read' });
// @ts-expect-error there is no such status
scan.select({ status: 'done' });
// @ts-expect-error runs do not reach over files
scan.runs('file');
// @ts-expect-error brief records have no paths
scan.runs('label', { brief: true })[0]?.paths;

const found = new CallFinder(shown[0]!).push('').finish();
const rawText: string | null | undefined = found.call?.raw_input_text;
const phases: string[] = found.places.map((place) => place.phase);
// @ts-expect-error a call has a place
new CallFinder({ id: 'x' });
const stamper = new Stamper(new Stamper());
const written: Uint8Array = stamper.push(new Uint8Array());
const kept: number = stamper.finish().kept;

const streamed = new PartialInput({ mode: 'lenient', keep: { head: 5000 } }).push('{').push(new Uint8Array()).finish();
const growing: string[] = streamed.identify({ name: 'Read' }).growing;
const fault: number | undefined = streamed.state.fault?.offset;
// @ts-expect-error what is visible may be anything
streamed.visible().path;
// @ts-expect-error no such mode
new PartialInput({ mode: 'loose' });
if (streamed.state.state === 'broken') {
  const code: string = streamed.state.fault.code;
  void code;
}

const envelope = parseMeta({});
// @ts-expect-error there may be none
stampMeta(null, envelope);
const stamped: Record<string, unknown> = stampMeta(null, { ...call });
const started: Promise<void> = init(new Uint8Array());

try {
  identify({});
} catch (error) {
  if (error instanceof ToolprismError && error.kind === 'not_json') console.log(error.offset, error.name);
}
export {
  activity, by, command, csv, fault, firsts, fromStream, gone, growing, kept, key, later, now, paths, phases, rawText, records, server,
  stamped, started, subjects, tools, written,
};
