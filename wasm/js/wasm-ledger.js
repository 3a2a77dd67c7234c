import * as glue from './ledger_glue.js';
import { bind } from './ledger.js';
import { Loaded } from './module.js';

const loaded = new Loaded((module) => glue.initSync({ module }), 'initLedger');

export const { CallLedger, readSession } = bind(() => loaded.ready(glue));

/** The class and the function, with the module from `source`. */
export function withModule(source) {
  loaded.from(source);
  return { CallLedger, readSession };
}
