import { readSession } from 'toolprism';
import { answers } from '../answers.mjs';

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const slim = new Worker(new URL('./slim-worker.js', import.meta.url), { type: 'module' });
const answer = (worker) => new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
const [inWorker, inSlim] = [answer(worker), answer(slim)];
slim.postMessage({ harness: 'codex', name: 'shell', raw_input: { command: ['ls', '-l'] } });

const { report } = await readSession(new File(['{"broken'], 'log.jsonl'));
const result = { page: answers(), file: report.bytes, worker: await inWorker, slim: await inSlim };
document.body.dataset.result = JSON.stringify(result);
