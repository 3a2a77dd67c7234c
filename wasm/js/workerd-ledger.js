import { withModule } from './wasm-ledger.js';
import module from './ledger.wasm';

export const { CallLedger, PartialInput, readSession, Scan } = withModule(module);
