import { textOf } from './error.js';
import { Handle } from './handle.js';
import { nameOf } from './ledger.js';
import { Intake, tagOf } from './source.js';

/** So many records come over at a time, so that their text never takes much memory on the other side. */
const PAGE = 10_000;

/** The class, by what answers: `native` gives its class, and sees to it that it is ready. */
export function bind(native) {
  class Scan {
    #scan;
    #intake = new Intake();

    constructor(options = {}) {
      const ready = native();
      const text = textOf(options, 'options');
      this.#scan = new Handle(() => new ready.Scan(text));
    }

    begin(file) {
      if (typeof file !== 'string') throw new TypeError('a file has a name, which is a text');
      this.#intake.end(this.#push);
      this.#scan.ask((scan) => scan.begin(file));
      return this;
    }

    push(piece) {
      this.#intake.take(piece, this.#push);
      return this;
    }

    #push = (bytes) => this.#scan.ask((scan) => scan.push(bytes));

    fail(message) {
      this.#scan.ask((scan) => scan.fail(String(message)));
      return this;
    }

    finish() {
      this.#intake.end(this.#push);
      this.#scan.ask((scan) => scan.finish());
      return this;
    }

    get size() {
      return this.#scan.ask((scan) => scan.size());
    }

    calls(from, to) {
      const records = [];
      this.#pages(
        from,
        to,
        (scan, ...range) => scan.calls(...range),
        (scan, numbers) => scan.callsOf(numbers),
        (text) => {
          for (const record of JSON.parse(text)) records.push(record);
        },
      );
      return records;
    }

    csv(from, to) {
      let csv = '';
      this.#pages(
        from,
        to,
        (scan, ...range) => scan.csv(...range, csv === ''),
        (scan, numbers) => scan.csvOf(numbers, csv === ''),
        (text) => {
          csv += text;
        },
      );
      return csv;
    }

    /** Asks for some calls, by their numbers or as `slice` counts, a page at a time; at least once. */
    #pages(from, to, ofRange, ofNumbers, take) {
      const numbers = typeof from === 'object' && from !== null ? numbersOf(from) : undefined;
      let [at, end] = numbers ? [0, numbers.length] : rangeOf(this.size, from, to);
      do {
        const next = Math.min(at + PAGE, end);
        take(this.#scan.ask((scan) => (numbers ? ofNumbers(scan, numbers.subarray(at, next)) : ofRange(scan, at, next))));
        at = next;
      } while (at < end);
    }

    select(query = {}) {
      const text = textOf(query, 'a query');
      return this.#scan.ask((scan) => scan.select(text));
    }

    groups(by = 'label', options = {}) {
      return this.#shapes(by, options, (scan, ...asked) => scan.groups(...asked));
    }

    groupsCsv(by = 'label', { calls } = {}) {
      const [name, numbers] = [nameOf(by), listOf(calls)];
      return this.#scan.ask((scan) => scan.groupsCsv(name, numbers));
    }

    runs(by = 'label', options = {}) {
      return this.#shapes(by, options, (scan, ...asked) => scan.runs(...asked));
    }

    /** Asks for groups or runs, a page at a time; at least once. */
    #shapes(by, { calls, from, to, ...options }, ask) {
      const [name, numbers] = [nameOf(by), listOf(calls)];
      const end = placeOf(to, Infinity);
      const records = [];
      let [at, page] = [placeOf(from, 0), []];
      do {
        const text = textOf({ ...options, from: at, to: Math.min(at + PAGE, end) }, 'options');
        page = JSON.parse(this.#scan.ask((scan) => ask(scan, name, numbers, text)));
        for (const record of page) records.push(record);
        at += PAGE;
      } while (page.length === PAGE);
      return records;
    }

    runStarts(by = 'label', { calls } = {}) {
      const [name, numbers] = [nameOf(by), listOf(calls)];
      return this.#scan.ask((scan) => scan.runStarts(name, numbers));
    }

    summary({ calls } = {}) {
      const numbers = listOf(calls);
      return JSON.parse(this.#scan.ask((scan) => scan.summary(numbers)));
    }

    report() {
      return JSON.parse(this.#scan.ask((scan) => scan.report()));
    }

    /** Gives its memory back at once. Without it, that happens when nothing refers to the scan any more. */
    free() {
      this.#scan.free();
    }
  }
  if (Symbol.dispose) Scan.prototype[Symbol.dispose] = Scan.prototype.free;

  return { Scan };
}

/** Numbers of calls, if any are given. */
function listOf(calls) {
  return calls === undefined || calls === null ? undefined : numbersOf(calls);
}

/** Numbers of calls. */
function numbersOf(list) {
  // Another thread may write to shared memory while it is read.
  if (tagOf(list) === 'Uint32Array') return tagOf(list.buffer) === 'SharedArrayBuffer' ? list.slice() : list;
  if (!Array.isArray(list)) throw new TypeError('calls are given as a Uint32Array or a list of numbers');
  const numbers = Uint32Array.from(list);
  const wrong = list.findIndex((number, at) => number !== numbers[at]);
  if (wrong >= 0) throw new TypeError(`calls are numbered from 0 on: ${String(list[wrong])} is none`);
  return numbers;
}

/** A place in a list; `usual` if none is given. */
function placeOf(place, usual) {
  if (place === undefined || place === null) return usual;
  if (!Number.isSafeInteger(place) || place < 0) throw new TypeError(`a place is a whole number, 0 or more, not ${String(place)}`);
  return place;
}

/** Where a range begins and ends, as `slice` counts. */
function rangeOf(size, from = 0, to = size) {
  const place = (number) => {
    const whole = Math.trunc(Number(number)) || 0;
    return whole < 0 ? Math.max(size + whole, 0) : Math.min(whole, size);
  };
  return [place(from), place(to)];
}
