import { withModule } from './wasm-contract.js';
import { fetched } from './module.js';

export { defineTool, Output, ToolError } from './contract.js';
export { ToolprismError } from './error.js';
export const { Registry } = withModule(await fetched(new URL('./contract.wasm', import.meta.url)));
