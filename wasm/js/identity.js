import * as glue from './identity_glue.js';
import { shown } from './error.js';
import { Loaded } from './module.js';
import { attach, look } from './view.js';

const loaded = new Loaded((module) => attach(glue.initSync({ module }).memory), 'init');

/** The functions, with the module from `source`. */
export function withModule(source) {
  loaded.from(source);
  return { parseMeta, parseMetaStrict, identify, stampMeta };
}

/** An answer of the module about host objects, as an object. */
function answer(use, value, other) {
  loaded.need();
  let text;
  try {
    text = look(use, value, other);
  } catch (error) {
    throw shown(error);
  }
  return text === undefined ? null : JSON.parse(text);
}

export function parseMeta(meta) {
  return answer(glue.parseMeta, meta, false);
}

export function parseMetaStrict(meta) {
  return answer(glue.parseMeta, meta, true);
}

export function identify(call) {
  if (typeof call !== 'object') throw new TypeError(`a call must be an object, not ${typeof call}`);
  return answer(glue.identify, call);
}

export function stampMeta(meta, envelope) {
  if (typeof envelope !== 'object') throw new TypeError(`an envelope must be an object, not ${typeof envelope}`);
  return answer(glue.stampMeta, meta, envelope);
}
