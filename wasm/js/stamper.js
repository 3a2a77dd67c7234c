import { Handle } from './handle.js';
import { Intake } from './source.js';

/** The class, by what answers: `native` gives its class, and sees to it that it is ready. */
export function bind(native) {
  class Stamper {
    #stamper;
    #intake = new Intake();

    constructor(first) {
      const ready = native();
      if (first === undefined || first === null) {
        this.#stamper = new Handle(() => new ready.Stamper());
        return;
      }
      if (Object(first) !== first || !(#stamper in first)) throw new TypeError('a stamper is made of another one, or of nothing');
      const again = first.#stamper.ask((stamper) => stamper.again());
      first.free();
      this.#stamper = new Handle(() => again);
    }

    push(piece) {
      return this.#gathered((push) => this.#intake.take(piece, push));
    }

    finish() {
      const rest = this.#gathered((push) => this.#intake.end(push));
      const last = this.#stamper.ask((stamper) => stamper.finish());
      return { bytes: joined([rest, last]), ...JSON.parse(this.#stamper.ask((stamper) => stamper.report())) };
    }

    #gathered(hand) {
      const written = [];
      hand((bytes) => written.push(this.#stamper.ask((stamper) => stamper.push(bytes))));
      return joined(written);
    }

    /** Gives its memory back at once. Without it, that happens when nothing refers to the stamper any more. */
    free() {
      this.#stamper.free();
    }
  }
  if (Symbol.dispose) Stamper.prototype[Symbol.dispose] = Stamper.prototype.free;

  return { Stamper };
}

function joined(pieces) {
  if (pieces.length === 1) return pieces[0];
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
