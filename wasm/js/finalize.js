import { textOf } from './error.js';
import { Handle } from './handle.js';

/** No more finalizers are kept than this. */
const MOST_KEPT = 8;

/** The class and the function, by what answers: `native` gives its class, and sees to it that it is ready. */
export function bind(native) {
  class Finalizer {
    #finalizer;

    constructor(options = {}) {
      const ready = native();
      const text = textOf(options, 'options');
      this.#finalizer = new Handle(() => new ready.Finalizer(text));
    }

    finalize(question) {
      const text = textOf(question, 'a call to judge');
      return JSON.parse(this.#finalizer.ask((finalizer) => finalizer.finalize(text)));
    }

    /** Gives its memory back at once. Without it, that happens when nothing refers to the finalizer any more. */
    free() {
      this.#finalizer.free();
    }
  }
  if (Symbol.dispose) Finalizer.prototype[Symbol.dispose] = Finalizer.prototype.free;

  /** One for each of the last few options, so that schemas are compiled once. */
  const kept = new Map();

  function finalize(question, options = {}) {
    const key = textOf(options, 'options');
    let finalizer = kept.get(key);
    if (finalizer === undefined) {
      finalizer = new Finalizer(options);
      if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value);
      kept.set(key, finalizer);
    }
    return finalizer.finalize(question);
  }

  return { finalize, Finalizer };
}
