import { withModule } from './finalize.js';
import module from './finalize.wasm';

export const { finalize, Finalizer } = withModule(module);
