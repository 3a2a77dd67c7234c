// Node, Deno, Bun: the modules are read at the first call.
import { readFileSync } from 'node:fs';
import { withModule as withCalls } from './calls.js';
import { withModule as withFinalizer } from './finalize.js';

export { ToolprismError } from './error.js';
export const { parseMeta, parseMetaStrict, identify, stampMeta, CallLedger, readSession } = withCalls(() =>
  readFileSync(new URL('./toolprism.wasm', import.meta.url)),
);
export const { finalize, Finalizer } = withFinalizer(() => readFileSync(new URL('./finalize.wasm', import.meta.url)));
