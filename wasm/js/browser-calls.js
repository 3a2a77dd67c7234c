import { withModule } from './calls.js';
import { fetched } from './module.js';

// The functions come out of the loading, so that no bundler takes the one without the other.
export const { parseMeta, parseMetaStrict, identify, stampMeta, CallLedger, readSession } = withModule(
  await fetched(new URL('./toolprism.wasm', import.meta.url)),
);
