import { withModule } from './wasm-live.js';
import module from './live.wasm?module';
import { adopted } from './module.js';

export { ToolprismError } from './error.js';
export const { LiveCalls, OutputPreview } = withModule(adopted(module));
