// Two parts, so that a bundler leaves out the module whose functions are not used.
export { ToolprismError } from './error.js';
export * from './browser-calls.js';
export * from './browser-finalize.js';
