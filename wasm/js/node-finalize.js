import { withModule } from './wasm-finalize.js';
import text from './finalize_text.js';
import { unpacked } from './unpacked.js';

export const { finalize, Finalizer } = withModule(() => unpacked(text));
