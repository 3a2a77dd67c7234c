// The host's values, as the module looks at them: see `src/view.rs`. A value is a number there: its place in `values`, times
// eight, plus its type.
import { Fault } from './error.js';

const NULL = 0, BOOL = 1, NUMBER = 2, STRING = 3, ARRAY = 4, OBJECT = 5;

/** What JSON text may have, no more is looked at here. */
const MOST_DEPTH = 512;
/** An object that is looked at so often during one call has no end, or is no tool call. */
const MOST_VALUES = 1_000_000;
/** A text up to this length is written by hand: calling the encoder costs more. */
const SHORT = 48;

const names = [];
const encoder = new TextEncoder();
/** That of the module which looks. */
let memory;
let bytes = new Uint8Array(0);
let slots = new Uint32Array(0);

/** What was looked at during this call, and how deep each of it lies. Place 0 is nobody's. */
const values = [undefined];
const depths = [0];
/** How many places are in use. */
let used = 1;
/** As many are kept from one call to the next: to shorten a list costs more than to empty it. */
const MOST_KEPT = 256;
/** What went wrong first. */
let fault;
let busy = false;

/** Calls `use` of the module with this memory with the number of a value, and `more`; throws what went wrong on the way. */
export function look(ofModule, use, value, more) {
  if (busy) throw new Fault('busy', 'a getter or `toJSON` called back while its object was read');
  busy = true;
  if (memory !== ofModule) {
    memory = ofModule;
    bytes = new Uint8Array(0);
    slots = new Uint32Array(0);
  }
  let answer;
  try {
    answer = use(root(value), more);
  } finally {
    const found = fault;
    busy = false;
    fault = undefined;
    forget();
    if (found !== undefined) throw found;
  }
  return answer;
}

function forget() {
  if (used > MOST_KEPT) values.length = depths.length = MOST_KEPT;
  for (let at = Math.min(used, MOST_KEPT) - 1; at > 0; at--) values[at] = undefined;
  used = 1;
}

function root(value) {
  try {
    return keep(value, 0) || keep(null, 0);
  } catch (error) {
    return note(error);
  }
}

function note(error) {
  fault ??= error instanceof Fault ? error : new Fault('unreadable', 'a member could not be read: it threw an error', error);
  return 0;
}

/** Keeps a value for the rest of the call; 0 for what has no place in JSON. */
function keep(value, depth) {
  let type;
  switch (typeof value) {
    case 'string':
      type = STRING;
      break;
    case 'number':
      type = Number.isFinite(value) ? NUMBER : NULL;
      break;
    case 'boolean':
      type = BOOL;
      break;
    case 'object':
      if (value === null) {
        type = NULL;
        break;
      }
      if (typeof value.toJSON === 'function') return keep(plain(value.toJSON()), depth);
      if (depth > MOST_DEPTH) throw new Fault('not_json', 'nested too deeply, or in a circle');
      type = Array.isArray(value) ? ARRAY : OBJECT;
      break;
    case 'bigint':
      throw new Fault('type', 'a BigInt has no form in JSON: give a number or a string');
    default:
      return 0;
  }
  const at = used++;
  if (at > MOST_VALUES) throw new Fault('too_large', 'too many members to look at');
  values[at] = value;
  depths[at] = depth;
  return at * 8 + type;
}

/** What `toJSON` gave is not asked again. */
function plain(value) {
  if (typeof value !== 'object' || value === null || typeof value.toJSON !== 'function') return value;
  return { ...value, toJSON: undefined };
}

export function learn(name) {
  return names.push(name) - 1;
}

export function get(object, name) {
  if (fault !== undefined) return 0;
  try {
    const at = object >>> 3;
    return keep(values[at][names[name]], depths[at] + 1);
  } catch (error) {
    return note(error);
  }
}

export function pick(object, at, count) {
  const start = at >>> 2;
  for (let i = start; i < start + count; i++) {
    if (slots.length === 0) slots = new Uint32Array(memory.buffer);
    const value = get(object, slots[i]);
    // A getter may have made the memory grow.
    if (slots.length === 0) slots = new Uint32Array(memory.buffer);
    slots[i] = value;
  }
}

export function number(value) {
  return values[value >>> 3];
}

export function truth(value) {
  return values[value >>> 3];
}

export function write(value, at, room) {
  const text = values[value >>> 3];
  const length = text.length;
  if (length * 3 > room) return length * 3;
  if (bytes.length === 0) bytes = new Uint8Array(memory.buffer);
  if (length <= SHORT) {
    let i = 0;
    for (; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) break;
      bytes[at + i] = code;
    }
    if (i === length) return length;
  }
  return encoder.encodeInto(text, bytes.subarray(at, at + room)).written;
}

export function namesOf(object) {
  if (fault !== undefined) return 0;
  try {
    const at = object >>> 3;
    return keep(Object.keys(values[at]), depths[at]);
  } catch (error) {
    return note(error);
  }
}

export function length(list) {
  if (fault !== undefined) return 0;
  try {
    const { length } = values[list >>> 3];
    // What only looks like a list may say anything.
    if (!Number.isInteger(length) || length < 0) throw new Fault('unreadable', 'a list has no length');
    if (length > MOST_VALUES) throw new Fault('too_large', 'too many members to look at');
    return length;
  } catch (error) {
    return note(error);
  }
}

export function item(list, i) {
  if (fault !== undefined) return 0;
  try {
    const at = list >>> 3;
    // As in JSON text: what has no place there is null in a list.
    return keep(values[at][i], depths[at] + 1) || keep(null, 0);
  } catch (error) {
    return note(error);
  }
}

export function member(object, list, i) {
  if (fault !== undefined) return 0;
  try {
    const at = object >>> 3;
    return keep(values[at][values[list >>> 3][i]], depths[at] + 1);
  } catch (error) {
    return note(error);
  }
}
