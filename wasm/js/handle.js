import { ToolprismError, guarded } from './error.js';

/** An object of what answers, until its memory is given back. */
export class Handle {
  #object;

  constructor(make) {
    this.#object = guarded(make);
  }

  /** Asks it for text or a number, or tells it something. */
  ask(use) {
    const object = this.#object;
    if (object === undefined) throw new ToolprismError({ kind: 'freed', message: 'this was freed: make a new one' });
    return guarded(() => use(object));
  }

  free() {
    this.#object?.free();
    this.#object = undefined;
  }
}
