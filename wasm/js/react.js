import { useDebugValue, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { LiveCalls } from 'toolprism/live';

/** What is read of each stream: it can be read once only, however often it is rendered (twice in strict mode). */
const streams = new WeakMap();

export function useToolCalls(source, options) {
  const live = useLive(source, options);
  const calls = useSyncExternalStore(live.subscribe, () => live.calls, () => live.calls);
  useDebugValue(calls.length);
  return useSame(live, calls, useError(source));
}

/** One object for as long as nothing changes, so that it can be handed to memoised components. */
function useSame(live, calls, error) {
  const last = useRef(undefined);
  const { current } = last;
  if (current?.live !== live || current.calls !== calls || current.error !== error) {
    last.current = { live, calls, error };
  }
  return last.current;
}

function useLive(source, options) {
  const stream = isStream(source) ? source : undefined;
  useEffect(() => {
    if (stream !== undefined) start(stream, ofStream(stream, options));
    // The options are those of the first rendering.
  }, [stream]);
  const list = stream === undefined && !(source instanceof LiveCalls) ? source ?? NONE : undefined;
  if (list !== undefined && !Array.isArray(list)) {
    throw new TypeError('a source must be a stream, a list of messages or a LiveCalls');
  }
  const [messages, setMessages] = useState(() => list && new Messages(list, options));
  // Rendering changes nothing: a rendering may be thrown away, and made again with an older list.
  useBeforePaint(() => {
    if (list === undefined) return;
    if (messages?.accepts(list, options)) messages.take(list);
    else setMessages(new Messages(list, options));
  });
  if (source instanceof LiveCalls) return source;
  return stream === undefined ? messages?.live ?? EMPTY() : ofStream(stream, options).live;
}

const NONE = [];
/** Shown until a list that came in the place of another source is read. */
let empty;
const EMPTY = () => (empty ??= new LiveCalls({ wire: 'acp' }));

/** A server paints nothing, and is told so by older versions of React. */
const useBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect;

function isStream(source) {
  return typeof source === 'object' && source !== null && !(source instanceof LiveCalls) &&
    (typeof source.getReader === 'function' || typeof source[Symbol.asyncIterator] === 'function');
}

function ofStream(stream, options) {
  let read = streams.get(stream);
  if (read === undefined) {
    read = { live: new LiveCalls(options), started: false, error: undefined, listeners: new Set() };
    streams.set(stream, read);
  }
  return read;
}

function start(stream, read) {
  if (read.started) return;
  read.started = true;
  read.live.read(stream).catch((error) => {
    read.error = error;
    for (const listener of read.listeners) listener();
  });
}

/** Why a stream has failed, once it has. */
function useError(source) {
  const read = isStream(source) ? streams.get(source) : undefined;
  const error = () => read?.error;
  return useSyncExternalStore(
    (listener) => {
      read?.listeners.add(listener);
      return () => read?.listeners.delete(listener);
    },
    error,
    error,
  );
}

/** A list of messages that grows, or whose items are replaced as they become more. */
class Messages {
  #seen = [];
  #about;

  constructor(list, options) {
    this.live = new LiveCalls(options);
    this.#about = aboutOf(options);
    this.take(list);
  }

  /** Whether a list has all that was read, and perhaps more. */
  accepts(list, options) {
    return aboutOf(options) === this.#about && list.length >= this.#seen.length && this.#seen.every((message, at) => grown(message, list[at]));
  }

  /** Reads what is new. A message that cannot be read is told of, and passed over. */
  take(list) {
    list.forEach((message, at) => {
      if (this.#seen[at] === message && at < this.#seen.length) return;
      this.#seen[at] = message;
      try {
        this.live.push(message);
      } catch (error) {
        console.error(error);
      }
    });
  }
}

/** What a stream is read as. */
function aboutOf({ wire, harness, version, session } = {}) {
  return JSON.stringify([wire, harness, version, session]);
}

/** Whether a message is the other one, perhaps with more in it. */
function grown(before, now) {
  if (before === now) return true;
  const [old, parts] = [partsOf(before), partsOf(now)];
  return before?.id !== undefined && before.id === now?.id && old !== undefined && parts !== undefined && parts.length >= old.length;
}

function partsOf(message) {
  return [message?.parts, message?.content].find(Array.isArray);
}

export function useGroups(source, by = 'label') {
  return useHeld(source, (live) => live.groups(by));
}

export function useRuns(source, by = 'label') {
  return useHeld(source, (live) => live.runs(by));
}

function useHeld(source, held) {
  const live = source instanceof LiveCalls ? source : source.live;
  // What `useToolCalls` gives changes with the calls, and so brings the new rendering with it.
  const subscribe = source instanceof LiveCalls ? live.subscribe : idle;
  return useSyncExternalStore(subscribe, () => held(live), () => held(live));
}

function idle() {
  return () => {};
}
