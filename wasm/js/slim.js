// For workers, edge runtimes and strict content policies: whoever uses it brings the modules.
import { withModule as withFinalize } from './finalize.js';
import { withModule as withIdentity } from './identity.js';
import { withModule as withLedger } from './ledger.js';
import { withModule as withLive } from './live.js';
import { compiled } from './module.js';

export { ToolprismError } from './error.js';
export { finalize, Finalizer } from './finalize.js';
export { identify, parseMeta, parseMetaStrict, stampMeta } from './identity.js';
export { CallLedger, readSession } from './ledger.js';
export { LiveCalls } from './live.js';

export async function init(source) {
  withIdentity(await compiled(source));
}

export async function initLedger(source) {
  withLedger(await compiled(source));
}

export async function initFinalizer(source) {
  withFinalize(await compiled(source));
}

export async function initLive(source) {
  withLive(await compiled(source));
}
