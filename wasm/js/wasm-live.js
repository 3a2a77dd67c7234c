import { bind } from './live.js';
import * as glue from './live_glue.js';
import { Loaded } from './module.js';
import { bind as bindOutput } from './output.js';
import { look } from './view.js';

let memory;
const loaded = new Loaded((module) => {
  memory = glue.initSync({ module }).memory;
}, 'initLive');
const native = {
  Live: glue.Live,
  Framing: glue.Framing,
  OutputPreview: glue.OutputPreview,
  push: (live, message) => look(memory, (value) => live.push(value), message),
  read: (use, value) => look(memory, use, value),
};

export const { LiveCalls } = bind(() => loaded.ready(native));
export const { OutputPreview } = bindOutput(() => loaded.ready(native));

/** The classes, with the module from `source`. */
export function withModule(source) {
  loaded.from(source);
  return { LiveCalls, OutputPreview };
}
