// For workers, edge runtimes and strict content policies: whoever uses it brings the modules.
import { withModule as withCalls } from './calls.js';
import { withModule as withFinalizer } from './finalize.js';
import { compiled } from './module.js';

export { CallLedger, identify, parseMeta, parseMetaStrict, readSession, stampMeta } from './calls.js';
export { ToolprismError } from './error.js';
export { finalize, Finalizer } from './finalize.js';

export async function init(source) {
  withCalls(await compiled(source));
}

export async function initFinalizer(source) {
  withFinalizer(await compiled(source));
}
