import * as glue from './identity_glue.js';
import { bind } from './identity.js';
import { Loaded } from './module.js';
import { look } from './view.js';

let memory;
const loaded = new Loaded((module) => {
  memory = glue.initSync({ module }).memory;
}, 'init');
const native = {
  identify: (call) => look(memory, glue.identify, call),
  parseMeta: (meta, strict) => look(memory, glue.parseMeta, meta, strict),
  stampMeta: glue.stampMeta,
};

export const { parseMeta, parseMetaStrict, identify, stampMeta } = bind(() => loaded.ready(native));

/** The functions, with the module from `source`. */
export function withModule(source) {
  loaded.from(source);
  return { parseMeta, parseMetaStrict, identify, stampMeta };
}
