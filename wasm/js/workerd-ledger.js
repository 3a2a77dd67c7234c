import { withModule } from './ledger.js';
import module from './ledger.wasm';

export const { CallLedger, readSession } = withModule(module);
