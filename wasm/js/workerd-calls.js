import module from './toolprism.wasm';
import { withModule } from './calls.js';

export const { parseMeta, parseMetaStrict, identify, stampMeta, CallLedger, readSession } = withModule(module);
