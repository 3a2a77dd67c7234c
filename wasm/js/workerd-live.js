import { withModule } from './wasm-live.js';
import module from './live.wasm';

export { ToolprismError } from './error.js';
export const { LiveCalls, OutputPreview } = withModule(module);
