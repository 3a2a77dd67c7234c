import { withModule } from './wasm-ledger.js';
import module from './ledger.wasm';

export const { CallFinder, CallLedger, PartialInput, readSession, Scan, Stamper } = withModule(module);
