import { withModule } from './wasm-identity.js';
import { fetched } from './module.js';

// The functions come out of the loading, so that no bundler takes the one without the other.
export const { parseMeta, parseMetaStrict, identify, stampMeta } = withModule(
  await fetched(new URL('./identity.wasm', import.meta.url)),
);
