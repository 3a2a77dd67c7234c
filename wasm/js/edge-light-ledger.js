import { withModule } from './wasm-ledger.js';
import module from './ledger.wasm?module';
import { adopted } from './module.js';

export const { CallLedger, readSession } = withModule(adopted(module));
