import { withModule } from './wasm-ledger.js';
import module from './ledger.wasm?module';
import { adopted } from './module.js';

export const { CallLedger, PartialInput, readSession, Scan } = withModule(adopted(module));
