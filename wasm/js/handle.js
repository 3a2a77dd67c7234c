import { ToolprismError, guarded } from './error.js';

/** An object of what answers, until its memory is given back. */
export class Handle {
  #object;

  constructor(make) {
    this.#object = guarded(make);
  }

  /** Fails if its memory was given back. */
  check() {
    if (this.#object === undefined) throw new ToolprismError({ kind: 'freed', message: 'this was freed: make a new one' });
  }

  /** Asks it for text or a number, or tells it something. */
  ask(use) {
    this.check();
    return guarded(() => use(this.#object));
  }

  free() {
    this.#object?.free();
    this.#object = undefined;
  }
}
