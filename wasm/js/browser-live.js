import { withModule } from './wasm-live.js';
import { fetched } from './module.js';

export { ToolprismError } from './error.js';
export const { LiveCalls, OutputPreview } = withModule(await fetched(new URL('./live.wasm', import.meta.url)));
