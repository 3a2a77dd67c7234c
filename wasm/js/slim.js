// For workers, edge runtimes and strict content policies: whoever uses it brings the modules.
import { withModule as withFinalize } from './wasm-finalize.js';
import { withModule as withIdentity } from './wasm-identity.js';
import { withModule as withLedger } from './wasm-ledger.js';
import { withModule as withLive } from './wasm-live.js';
import { compiled } from './module.js';

export { ToolprismError } from './error.js';
export { finalize, Finalizer } from './wasm-finalize.js';
export { identify, parseMeta, parseMetaStrict, stampMeta } from './wasm-identity.js';
export { CallFinder, CallLedger, PartialInput, readSession, Scan, Stamper } from './wasm-ledger.js';
export { LiveCalls, OutputPreview } from './wasm-live.js';

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
