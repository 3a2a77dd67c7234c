import { guarded, textOf } from './error.js';
import * as glue from './finalize_glue.js';
import { Loaded } from './module.js';

const loaded = new Loaded((module) => glue.initSync({ module }), 'initFinalizer');

/** The functions, with the module from `source`. */
export function withModule(source) {
  loaded.from(source);
  return { finalize, Finalizer };
}

export class Finalizer {
  #finalizer;

  constructor(options = {}) {
    loaded.need();
    const text = textOf(options, 'options');
    this.#finalizer = guarded(() => new glue.Finalizer(text));
  }

  finalize(question) {
    const text = textOf(question, 'a call to judge');
    return JSON.parse(guarded(() => this.#finalizer.finalize(text)));
  }

  /** Gives its memory back at once. Without it, that happens when nothing refers to the finalizer any more. */
  free() {
    this.#finalizer.free();
  }
}
if (Symbol.dispose) Finalizer.prototype[Symbol.dispose] = Finalizer.prototype.free;

/** One for each of the last few options, so that schemas are compiled once. */
const kept = new Map();
const MOST_KEPT = 8;

export function finalize(question, options = {}) {
  const key = textOf(options, 'options');
  let finalizer = kept.get(key);
  if (finalizer === undefined) {
    finalizer = new Finalizer(options);
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value);
    kept.set(key, finalizer);
  }
  return finalizer.finalize(question);
}
