import { withModule } from './wasm-identity.js';
import module from './identity.wasm?module';
import { adopted } from './module.js';

export const { parseMeta, parseMetaStrict, identify, stampMeta } = withModule(adopted(module));
