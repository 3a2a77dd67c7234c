import { bind as bindFinder } from './finder.js';
import * as glue from './ledger_glue.js';
import { bind } from './ledger.js';
import { Loaded } from './module.js';
import { bind as bindPartial } from './partial.js';
import { bind as bindScan } from './scan.js';
import { bind as bindStamper } from './stamper.js';

const loaded = new Loaded((module) => glue.initSync({ module }), 'initLedger');

export const { CallLedger, readSession } = bind(() => loaded.ready(glue));
export const { PartialInput } = bindPartial(() => loaded.ready(glue));
export const { Scan } = bindScan(() => loaded.ready(glue));
export const { CallFinder } = bindFinder(() => loaded.ready(glue));
export const { Stamper } = bindStamper(() => loaded.ready(glue));

/** The classes and the function, with the module from `source`. */
export function withModule(source) {
  loaded.from(source);
  return { CallFinder, CallLedger, PartialInput, readSession, Scan, Stamper };
}
