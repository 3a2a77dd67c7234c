import { textOf } from './error.js';
import { Handle } from './handle.js';

/** The class, by what answers: `native` gives its class, and sees to it that it is ready. */
export function bind(native) {
  class OutputPreview {
    #native;
    #preview;
    #state;

    constructor(bounds = {}) {
      this.#native = native();
      const [{ OutputPreview: Preview }, text] = [this.#native, textOf(bounds, 'bounds')];
      this.#preview = new Handle(() => new Preview(text));
    }

    append(output) {
      if (typeof output === 'string') return this.#take((preview) => preview.append(output));
      mustBeOutput(output);
      return this.#take((preview) => this.#native.read((value) => preview.appendValue(value), output));
    }

    replace(output) {
      if (typeof output === 'string') return this.#take((preview) => preview.replace(output));
      mustBeOutput(output);
      return this.#take((preview) => this.#native.read((value) => preview.replaceValue(value), output));
    }

    #take(use) {
      this.#state = undefined;
      this.#preview.ask(use);
      return this;
    }

    /** What is shown, and how much there is. The same object until something changes. */
    get state() {
      this.#state ??= Object.freeze(JSON.parse(this.#preview.ask((preview) => preview.state())));
      return this.#state;
    }

    free() {
      this.#preview.free();
    }
  }
  if (Symbol.dispose) OutputPreview.prototype[Symbol.dispose] = OutputPreview.prototype.free;

  return { OutputPreview };
}

function mustBeOutput(output) {
  if (typeof output === 'object' && output !== null) return;
  throw new TypeError(`an output must be text or content blocks, not ${output === null ? 'null' : typeof output}`);
}
