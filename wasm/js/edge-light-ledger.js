import { withModule } from './wasm-ledger.js';
import module from './ledger.wasm?module';
import { adopted } from './module.js';

export const { CallFinder, CallLedger, PartialInput, readSession, Scan, Stamper } = withModule(adopted(module));
