// A file for each module, so that a bundler leaves out those whose functions are not used.
export { ToolprismError } from './error.js';
export * from './browser-finalize.js';
export * from './browser-identity.js';
export * from './browser-ledger.js';
