import * as glue from './identity_glue.js';
import { guarded, shown, textOf } from './error.js';
import { Loaded } from './module.js';
import { attach, look } from './view.js';

const loaded = new Loaded((module) => attach(glue.initSync({ module }).memory), 'init');

/** The functions, with the module from `source`. */
export function withModule(source) {
  loaded.from(source);
  return { parseMeta, parseMetaStrict, identify, stampMeta };
}

/** An answer of the module about host objects, as an object. */
function answer(use, value, more) {
  loaded.need();
  let text;
  try {
    text = look(use, value, more);
  } catch (error) {
    throw shown(error);
  }
  return text === undefined ? null : JSON.parse(text);
}

/** Of other values that are no objects the module says so. */
function mustBeJson(what, value) {
  const type = typeof value;
  if (type === 'undefined' || type === 'function' || type === 'symbol' || type === 'bigint') {
    throw new TypeError(`${what} must be an object, not ${type}`);
  }
}

export function parseMeta(meta) {
  return answer(glue.parseMeta, meta, false);
}

export function parseMetaStrict(meta) {
  return answer(glue.parseMeta, meta, true);
}

export function identify(call) {
  mustBeJson('a call', call);
  return answer(glue.identify, call);
}

export function stampMeta(meta, envelope) {
  loaded.need();
  const texts = [textOf(meta ?? null, 'a `_meta` value'), textOf(envelope, 'an envelope')];
  return JSON.parse(guarded(() => glue.stampMeta(...texts)));
}
