import { type Remote, proxy, wrap } from 'comlink';
import { ownScript } from '../trusted';
import type { Progress, Reading } from './worker';
import type { Source } from './files';
import workerUrl from './worker?worker&url';

let reading: Remote<Reading> | undefined;
/** Refused when the worker fails as a whole: it would then never answer. */
let failed: Promise<never>;

/** What reads logs: a worker, started when it is first needed. */
export function reader(): Remote<Reading> {
  if (!reading) {
    const worker = new Worker(ownScript(new URL(workerUrl, document.baseURI).href), { type: 'module' });
    failed = new Promise((_, fail) => {
      worker.onerror = () => {
        // The next log gets a new one.
        reading = undefined;
        worker.terminate();
        fail(new Error('What reads logs could not be started, or has stopped. Load this page again.'));
      };
    });
    reading = wrap<Reading>(worker);
  }
  return reading;
}

export function read(sources: Source[], progress: (progress: Progress) => void) {
  const read = reader().read(sources, proxy(progress));
  return Promise.race([read, failed]);
}
