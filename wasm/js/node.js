// Node, Deno, Bun. The modules come as text: a bundle holds them as well, and no file need be found or allowed to be read.
// Each is made ready at the first call that needs it.
export { ToolprismError } from './error.js';
export * from './node-finalize.js';
export * from './node-identity.js';
export * from './node-ledger.js';
