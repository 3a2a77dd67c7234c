// What every place where the package runs must answer: one call through each of the modules.
import { CallLedger, finalize, identify, PartialInput, readSession } from 'toolprism';

const line = JSON.stringify({
  type: 'assistant',
  sessionId: 's',
  uuid: 'u',
  message: { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Read', input: { file_path: '/日本' } }] },
});

export function answers() {
  const { label, input } = identify({ harness: 'claude_code', name: 'Bash', raw_input: { command: 'echo 日本' } });
  const groups = new CallLedger().push(line).finish().groups();
  const { report } = readSession('{"broken');
  const { outcome, args } = finalize({ input: '{"a": 1,}' });
  const partial = new PartialInput().push('{"a":"日').visible();
  return { label, input, group: groups[0].key, bytes: report.bytes, outcome, args, partial };
}

export const expected = {
  label: 'Run Command',
  input: { command: 'echo 日本' },
  group: 'label:Read',
  bytes: 8,
  outcome: 'rewrite',
  args: '{"a":1}',
  partial: { a: '日' },
};
