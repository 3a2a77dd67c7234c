import { withModule } from './wasm-identity.js';
import text from './identity_text.js';
import { unpacked } from './unpacked.js';

export const { parseMeta, parseMetaStrict, identify, stampMeta } = withModule(() => unpacked(text));
