// A file for each module, so that a bundler leaves out those whose functions are not used.
export { ToolprismError } from './error.js';
export * from './workerd-finalize.js';
export * from './workerd-identity.js';
export * from './workerd-ledger.js';
