import { textOf } from './error.js';
import { Handle } from './handle.js';
import { bytesOf, halfOf, inPieces } from './source.js';

/** So many characters wait at most until they are handed on together: a call for each few of them would cost more than reading them. */
const MOST_WAITING = 16 << 10;
const encoder = new TextEncoder();

/** The class, by what answers: `native` gives its class, and sees to it that it is ready. */
export function bind(native) {
  class PartialInput {
    #input;
    /** Text that nobody has asked for yet; the last character may be half there. */
    #waiting = '';

    constructor(options = {}) {
      const ready = native();
      const text = textOf(options, 'options');
      this.#input = new Handle(() => new ready.PartialInput(text));
    }

    push(delta) {
      if (typeof delta === 'string') {
        this.#input.check();
        this.#waiting += delta;
        if (this.#waiting.length > MOST_WAITING) this.#handOn();
      } else {
        const bytes = bytesOf(delta);
        this.#end();
        this.#push(bytes);
      }
      return this;
    }

    /** Hands on what waits, but for half a character. */
    #handOn() {
      const text = this.#waiting;
      if (text === '') return;
      this.#waiting = halfOf(text);
      this.#push(encoder.encode(this.#waiting ? text.slice(0, -1) : text));
    }

    /** Hands on all that waits: no second half can follow any more. */
    #end() {
      if (this.#waiting) this.#push(encoder.encode(this.#waiting));
      this.#waiting = '';
    }

    #push(bytes) {
      inPieces(bytes, (piece) => this.#input.ask((input) => input.push(piece)));
    }

    #ask(use) {
      this.#handOn();
      return this.#input.ask(use);
    }

    finish() {
      this.#end();
      this.#input.ask((input) => input.finish());
      return this;
    }

    visible() {
      return JSON.parse(this.#ask((input) => input.visible()));
    }

    get isComplete() {
      return this.#ask((input) => input.isComplete());
    }

    get state() {
      return JSON.parse(this.#ask((input) => input.state()));
    }

    identify(call) {
      const text = textOf(call, 'a call');
      return JSON.parse(this.#ask((input) => input.identify(text)));
    }

    /** Gives its memory back at once. Without it, that happens when nothing refers to the arguments any more. */
    free() {
      this.#waiting = '';
      this.#input.free();
    }
  }
  if (Symbol.dispose) PartialInput.prototype[Symbol.dispose] = PartialInput.prototype.free;

  return { PartialInput };
}
