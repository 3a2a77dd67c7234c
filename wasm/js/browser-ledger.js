import { withModule } from './wasm-ledger.js';
import { fetched } from './module.js';

export const { CallLedger, PartialInput, readSession, Scan } = withModule(
  await fetched(new URL('./ledger.wasm', import.meta.url)),
);
