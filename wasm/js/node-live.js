import { withModule } from './wasm-live.js';
import text from './live_text.js';
import { unpacked } from './unpacked.js';

export { ToolprismError } from './error.js';
export const { LiveCalls, OutputPreview } = withModule(() => unpacked(text));
