import { withModule } from './wasm-finalize.js';
import module from './finalize.wasm';

export const { finalize, Finalizer } = withModule(module);
