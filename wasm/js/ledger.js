import { guarded, textOf } from './error.js';
import * as glue from './ledger_glue.js';
import { Loaded } from './module.js';
import { bytesOf, piecesOf } from './source.js';

const loaded = new Loaded((module) => glue.initSync({ module }), 'initLedger');

/** The functions, with the module from `source`. */
export function withModule(source) {
  loaded.from(source);
  return { CallLedger, readSession };
}

/** Bytes go over in pieces of this size: the module's memory stays small, whatever the size of a log. */
const PIECE = 1 << 20;
const encoder = new TextEncoder();

export class CallLedger {
  #ledger;
  /** The first half of a character whose second half has not come yet. */
  #half = '';

  constructor(options = {}) {
    loaded.need();
    const text = textOf(options, 'options');
    this.#ledger = guarded(() => new glue.Ledger(text));
  }

  push(input) {
    if (typeof input === 'string') {
      let text = this.#half + input;
      const last = text.charCodeAt(text.length - 1);
      this.#half = last >= 0xd800 && last < 0xdc00 ? text.slice(-1) : '';
      if (this.#half) text = text.slice(0, -1);
      this.#push(encoder.encode(text));
    } else {
      const bytes = bytesOf(input);
      this.#end();
      this.#push(bytes);
    }
    return this;
  }

  #end() {
    if (this.#half) this.#push(encoder.encode(this.#half));
    this.#half = '';
  }

  #push(bytes) {
    // Once even if there is nothing: a finished ledger says so.
    let at = 0;
    do {
      guarded(() => this.#ledger.push(bytes.subarray(at, at + PIECE)));
      at += PIECE;
    } while (at < bytes.length);
  }

  finish() {
    this.#end();
    guarded(() => this.#ledger.finish());
    return this;
  }

  get size() {
    return guarded(() => this.#ledger.size());
  }

  calls() {
    return JSON.parse(guarded(() => this.#ledger.calls()));
  }

  groups(by = 'label') {
    return JSON.parse(guarded(() => this.#ledger.groups(nameOf(by))));
  }

  runs(by = 'label') {
    return JSON.parse(guarded(() => this.#ledger.runs(nameOf(by))));
  }

  report() {
    return JSON.parse(guarded(() => this.#ledger.report()));
  }

  /** Gives its memory back at once. Without it, that happens when nothing refers to the ledger any more. */
  free() {
    this.#ledger.free();
  }
}
if (Symbol.dispose) CallLedger.prototype[Symbol.dispose] = CallLedger.prototype.free;

function nameOf(by) {
  if (typeof by !== 'string') throw new TypeError('calls are grouped by the name of a member, such as "label"');
  return by;
}

export function readSession(source, options) {
  const pieces = piecesOf(source);
  return pieces === undefined ? readNow(source, options) : readStream(pieces, options);
}

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
