export * from './api.js';
export * from './live.js';

/** Takes the module `toolprism/wasm`: its bytes, or a compiled `WebAssembly.Module`. Needed once, before the first call. */
export function init(module: object): Promise<void>;

/** The same with `toolprism/ledger.wasm`, for `CallLedger`, `readSession`, `Scan`, `CallFinder`, `Stamper` and `PartialInput`. */
export function initLedger(module: object): Promise<void>;

/** The same with `toolprism/finalize.wasm`, for `finalize` and `Finalizer`. */
export function initFinalizer(module: object): Promise<void>;

/** The same with `toolprism/live.wasm`, for `LiveCalls` and `OutputPreview`. */
export function initLive(module: object): Promise<void>;
