// Not run, only checked: what users write, and what must be an error.
import {
  CallLedger, type CallRecord, finalize, identify, parseMeta, PartialInput, readSession, type Session, stampMeta, ToolprismError,
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
export { command, fault, fromStream, growing, key, later, now, records, server, stamped, started };
