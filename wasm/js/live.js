import { ToolprismError, textOf } from './error.js';
import { Handle } from './handle.js';
import { bytesOf, piecesOf } from './source.js';

/** Calls that share a value. What takes time in proportion to their number is worked out when it is first looked at. */
class Holder {
  #places;
  #owner;
  #calls;
  #line;

  constructor(owner, fields, places) {
    Object.assign(this, fields);
    this.#owner = owner;
    this.#places = places;
  }

  get calls() {
    this.#calls ??= Object.freeze(Array.from(this.#places(), (at) => this.#owner.at(at)));
    return this.#calls;
  }

  get line() {
    this.#line ??= this.#owner.lineOf(this.calls);
    return this.#line;
  }
}

/** The class, by what answers: `native` gives its classes, and sees to it that they are ready. */
export function bind(native) {
  class LiveCalls {
    #native;
    #live;
    #framing;
    #unreadable = 0;
    #now;
    #listeners = new Set();
    #calls = [];
    #groups = new Map();
    #runs = new Map();
    /** What was shown last, until something changes. */
    #shown;
    #version = 0;
    #read = 0;

    constructor(options) {
      const { now = Date.now, framing = 'lines', ...more } = options ?? {};
      this.#native = native();
      const [{ Framing, Live }, text] = [this.#native, textOf(more, 'options')];
      this.#framing = new Handle(() => new Framing(String(framing)));
      this.#live = new Handle(() => new Live(text));
      this.#now = now;
    }

    push(message) {
      this.#tick();
      if (typeof message === 'string') {
        this.#push(parsed(message));
      } else if (ArrayBuffer.isView(message) || message instanceof ArrayBuffer) {
        const bytes = bytesOf(message);
        this.#framed(this.#framing.ask((framing) => framing.push(bytes)));
      } else if (typeof message === 'object' && message !== null) {
        this.#push(message);
      } else {
        throw new TypeError(`a message must be an object, JSON text or bytes, not ${message === null ? 'null' : typeof message}`);
      }
      return this.#changed();
    }

    #tick() {
      if (!this.#now) return;
      const now = this.#now();
      this.#live.ask((live) => live.at(now));
    }

    #push(message) {
      this.#live.ask((live) => this.#native.push(live, message));
    }

    /** Messages out of bytes: one that is no JSON does not end the stream. */
    #framed(texts) {
      for (const text of texts) {
        let message;
        try {
          message = parsed(text);
        } catch {
          this.#unreadable++;
          continue;
        }
        this.#push(message);
      }
    }

    endTurn({ cancelled = false } = {}) {
      this.#tick();
      this.#framed(this.#framing.ask((framing) => framing.finish()));
      this.#live.ask((live) => live.endTurn(Boolean(cancelled)));
      return this.#changed();
    }

    #changed() {
      this.#version++;
      for (const listener of [...this.#listeners]) listener();
      return this;
    }

    /** Takes over the records of what has changed: that is left until one of them is looked at. */
    #update() {
      if (this.#read === this.#version) return;
      this.#read = this.#version;
      const changes = JSON.parse(this.#live.ask((live) => live.changes()));
      for (const call of changes) this.#calls[call.at] = Object.freeze(call);
      if (changes.length > 0) this.#shown = undefined;
    }

    get size() {
      return this.#live.ask((live) => live.size());
    }

    get unreadable() {
      return this.#unreadable;
    }

    at(place) {
      this.#update();
      return this.#calls.at(place);
    }

    get calls() {
      this.#update();
      this.#shown ??= Object.freeze(this.#calls.slice());
      return this.#shown;
    }

    groups(by = 'label') {
      return this.#held(this.#groups, by, (held) => {
        for (const { at, ...fields } of JSON.parse(this.#live.ask((live) => live.groups(by)))) {
          held.list[at] = new Holder(this, fields, () => this.#live.ask((live) => live.groupCalls(by, at)));
          held.shown = undefined;
        }
      });
    }

    runs(by = 'label') {
      return this.#held(this.#runs, by, (held) => {
        const { count, changed } = JSON.parse(this.#live.ask((live) => live.runs(by)));
        if (held.list.length !== count) held.shown = undefined;
        held.list.length = count;
        for (const { at, first, ...fields } of changed) {
          held.list[at] = new Holder(this, fields, () => Array.from({ length: fields.count }, (_, i) => first + i));
          held.shown = undefined;
        }
      });
    }

    #held(all, by, update) {
      if (typeof by !== 'string') throw new TypeError('calls are grouped by the name of a member, such as "label"');
      const held = all.get(by) ?? { list: [], read: -1, shown: undefined };
      if (held.read !== this.#version) {
        update(held);
        held.read = this.#version;
        all.set(by, held);
      }
      held.shown ??= Object.freeze(held.list.filter((holder) => holder.count > 0));
      return held.shown;
    }

    get line() {
      return this.#live.ask((live) => live.line());
    }

    lineOf(calls) {
      const places = Uint32Array.from(calls, (call) => call.at);
      return this.#live.ask((live) => live.lineOf(places));
    }

    /** Bound, so that it can be handed on as it is. */
    subscribe = (listener) => {
      this.#listeners.add(listener);
      return () => {
        this.#listeners.delete(listener);
      };
    };

    /** Takes all messages of a stream, and ends the turn with it. */
    async read(stream) {
      const pieces = piecesOf(stream);
      if (pieces === undefined) throw new TypeError('a stream must be one of messages or bytes, or an async iterable');
      try {
        for await (const piece of pieces) this.push(piece);
      } catch (error) {
        this.endTurn({ cancelled: true });
        throw error;
      }
      return this.endTurn();
    }

    /** Gives its memory back at once. Without it, that happens when nothing refers to it any more. */
    free() {
      this.#live.free();
      this.#framing.free();
    }
  }
  if (Symbol.dispose) LiveCalls.prototype[Symbol.dispose] = LiveCalls.prototype.free;

  return { LiveCalls };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ToolprismError({ kind: 'not_json', message: `a message must be JSON: ${error.message}`, cause: error });
  }
}
