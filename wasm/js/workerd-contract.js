import { withModule } from './wasm-contract.js';
import module from './contract.wasm';

export { defineTool, Output, ToolError } from './contract.js';
export { ToolprismError } from './error.js';
export const { Registry } = withModule(module);
