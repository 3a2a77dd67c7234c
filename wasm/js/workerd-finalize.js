import module from './finalize.wasm';
import { withModule } from './finalize.js';

export const { finalize, Finalizer } = withModule(module);
