import { withModule } from './wasm-ledger.js';
import text from './ledger_text.js';
import { unpacked } from './unpacked.js';

export const { CallLedger, PartialInput, readSession, Scan } = withModule(() => unpacked(text));
