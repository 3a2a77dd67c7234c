import { identify, readSession } from 'toolprism';

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
worker.onmessage = async ({ data }) => {
  const { label, input } = identify({ harness: 'claude_code', name: 'Bash', raw_input: { command: 'echo 日本' } });
  const { report } = await readSession(new File(['{"broken'], 'log.jsonl'));
  document.body.dataset.result = JSON.stringify({ label, input, bytes: report.bytes, worker: data });
};
worker.postMessage({ harness: 'codex', name: 'shell', raw_input: { command: ['ls', '-l'] } });
