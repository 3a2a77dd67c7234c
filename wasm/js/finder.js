import { textOf } from './error.js';
import { Handle } from './handle.js';
import { Intake } from './source.js';

/** The class, by what answers: `native` gives its class, and sees to it that it is ready. */
export function bind(native) {
  class CallFinder {
    #finder;
    #intake = new Intake();

    constructor(call) {
      const ready = native();
      const text = textOf(call, 'a call');
      this.#finder = new Handle(() => new ready.CallFinder(text));
    }

    push(piece) {
      this.#intake.take(piece, this.#push);
      return this;
    }

    #push = (bytes) => this.#finder.ask((finder) => finder.push(bytes));

    finish() {
      // No record ends with half a character.
      return JSON.parse(this.#finder.ask((finder) => finder.finish()));
    }

    /** Gives its memory back at once. Without it, that happens when nothing refers to the finder any more. */
    free() {
      this.#finder.free();
    }
  }
  if (Symbol.dispose) CallFinder.prototype[Symbol.dispose] = CallFinder.prototype.free;

  return { CallFinder };
}
