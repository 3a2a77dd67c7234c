import * as glue from './finalize_glue.js';
import { bind } from './finalize.js';
import { Loaded } from './module.js';

const loaded = new Loaded((module) => glue.initSync({ module }), 'initFinalizer');

export const { finalize, Finalizer } = bind(() => loaded.ready(glue));

/** The class and the function, with the module from `source`. */
export function withModule(source) {
  loaded.from(source);
  return { finalize, Finalizer };
}
