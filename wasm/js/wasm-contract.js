import * as glue from './contract_glue.js';
import { bind } from './contract.js';
import { Loaded } from './module.js';

const loaded = new Loaded((module) => glue.initSync({ module }), 'initContract');

export const { Registry } = bind(() => loaded.ready(glue));

/** The class, with the module from `source`. */
export function withModule(source) {
  loaded.from(source);
  return { Registry };
}
