// Vercel's edge runtime, also as Next.js has it: it compiles no module itself. A file for each module, so that a bundler
// leaves out those whose functions are not used.
export { ToolprismError } from './error.js';
export * from './edge-light-finalize.js';
export * from './edge-light-identity.js';
export * from './edge-light-ledger.js';
