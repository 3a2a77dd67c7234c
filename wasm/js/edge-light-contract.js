import { withModule } from './wasm-contract.js';
import module from './contract.wasm?module';
import { adopted } from './module.js';

export { defineTool, Output, ToolError } from './contract.js';
export { ToolprismError } from './error.js';
export const { Registry } = withModule(adopted(module));
