import { type Remote, proxy, wrap } from 'comlink';
import { ownScript } from '../trusted';
import type { Progress, Reading } from './worker';
import type { Source } from './files';
import workerUrl from './worker?worker&url';

let reading: Remote<Reading> | undefined;

/** What reads logs: a worker, started when it is first needed. */
export function reader(): Remote<Reading> {
  reading ??= wrap<Reading>(new Worker(ownScript(new URL(workerUrl, document.baseURI).href), { type: 'module' }));
  return reading;
}

export function read(sources: Source[], progress: (progress: Progress) => void) {
  return reader().read(sources, proxy(progress));
}
