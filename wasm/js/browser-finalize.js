import { withModule } from './wasm-finalize.js';
import { fetched } from './module.js';

export const { finalize, Finalizer } = withModule(
  await fetched(new URL('./finalize.wasm', import.meta.url)),
);
