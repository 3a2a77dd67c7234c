import { withModule } from './wasm-identity.js';
import module from './identity.wasm';

export const { parseMeta, parseMetaStrict, identify, stampMeta } = withModule(module);
