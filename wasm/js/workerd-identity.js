import { withModule } from './identity.js';
import module from './identity.wasm';

export const { parseMeta, parseMetaStrict, identify, stampMeta } = withModule(module);
