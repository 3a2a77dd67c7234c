import { withModule } from './wasm-contract.js';
import text from './contract_text.js';
import { unpacked } from './unpacked.js';

export { defineTool, Output, ToolError } from './contract.js';
export { ToolprismError } from './error.js';
export const { Registry } = withModule(() => unpacked(text));
