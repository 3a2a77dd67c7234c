import { bind } from './live.js';
import * as glue from './live_glue.js';
import { Loaded } from './module.js';
import { look } from './view.js';

let memory;
const loaded = new Loaded((module) => {
  memory = glue.initSync({ module }).memory;
}, 'initLive');
const native = {
  Live: glue.Live,
  Framing: glue.Framing,
  push: (live, message) => look(memory, (value) => live.push(value), message),
};

export const { LiveCalls } = bind(() => loaded.ready(native));

/** The class, with the module from `source`. */
export function withModule(source) {
  loaded.from(source);
  return { LiveCalls };
}
