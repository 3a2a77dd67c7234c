// Node, Deno, Bun: each module is read at the first call that needs it.
import { readFileSync } from 'node:fs';
import { withModule as withFinalize } from './finalize.js';
import { withModule as withIdentity } from './identity.js';
import { withModule as withLedger } from './ledger.js';

export { ToolprismError } from './error.js';
export const { parseMeta, parseMetaStrict, identify, stampMeta } = withIdentity(() =>
  readFileSync(new URL('./identity.wasm', import.meta.url)),
);
export const { CallLedger, readSession } = withLedger(() => readFileSync(new URL('./ledger.wasm', import.meta.url)));
export const { finalize, Finalizer } = withFinalize(() => readFileSync(new URL('./finalize.wasm', import.meta.url)));
