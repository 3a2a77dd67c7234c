import { withModule } from './wasm-finalize.js';
import module from './finalize.wasm?module';
import { adopted } from './module.js';

export const { finalize, Finalizer } = withModule(adopted(module));
