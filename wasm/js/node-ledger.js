import { withModule } from './wasm-ledger.js';
import text from './ledger_text.js';
import { unpacked } from './unpacked.js';

export const { CallFinder, CallLedger, PartialInput, readSession, Scan, Stamper } = withModule(() => unpacked(text));
