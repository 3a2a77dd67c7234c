import { textOf } from './error.js';
import { Handle } from './handle.js';
import { Intake, piecesOf } from './source.js';

/** The class and the function, by what answers: `native` gives its class, and sees to it that it is ready. */
export function bind(native) {
  class CallLedger {
    #ledger;
    #intake = new Intake();

    constructor(options = {}) {
      const ready = native();
      const text = textOf(options, 'options');
      this.#ledger = new Handle(() => new ready.Ledger(text));
    }

    push(input) {
      this.#intake.take(input, this.#push);
      return this;
    }

    // Also called if there are no bytes: a finished ledger says so.
    #push = (bytes) => this.#ledger.ask((ledger) => ledger.push(bytes));

    finish() {
      this.#intake.end(this.#push);
      this.#ledger.ask((ledger) => ledger.finish());
      return this;
    }

    get size() {
      return this.#ledger.ask((ledger) => ledger.size());
    }

    calls() {
      return JSON.parse(this.#ledger.ask((ledger) => ledger.calls()));
    }

    groups(by = 'label') {
      const name = nameOf(by);
      return JSON.parse(this.#ledger.ask((ledger) => ledger.groups(name)));
    }

    runs(by = 'label') {
      const name = nameOf(by);
      return JSON.parse(this.#ledger.ask((ledger) => ledger.runs(name)));
    }

    report() {
      return JSON.parse(this.#ledger.ask((ledger) => ledger.report()));
    }

    /** Gives its memory back at once. Without it, that happens when nothing refers to the ledger any more. */
    free() {
      this.#ledger.free();
    }
  }
  if (Symbol.dispose) CallLedger.prototype[Symbol.dispose] = CallLedger.prototype.free;

  function finished(ledger) {
    ledger.finish();
    return { calls: ledger.calls(), report: ledger.report() };
  }

  function readNow(source, options) {
    const ledger = new CallLedger(options);
    try {
      return finished(ledger.push(source));
    } finally {
      ledger.free();
    }
  }

  async function readStream(pieces, options) {
    const ledger = new CallLedger(options);
    try {
      for await (const piece of pieces) ledger.push(piece);
      return finished(ledger);
    } finally {
      ledger.free();
    }
  }

  function readSession(source, options) {
    const pieces = piecesOf(source);
    return pieces === undefined ? readNow(source, options) : readStream(pieces, options);
  }

  return { CallLedger, readSession };
}

/** What to group by. */
export function nameOf(by) {
  if (typeof by !== 'string') throw new TypeError('calls are grouped by the name of a member, such as "label"');
  return by;
}
