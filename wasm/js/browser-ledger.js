import { withModule } from './wasm-ledger.js';
import { fetched } from './module.js';

export const { CallFinder, CallLedger, PartialInput, readSession, Scan, Stamper } = withModule(
  await fetched(new URL('./ledger.wasm', import.meta.url)),
);
