import { useDebugValue, useEffect, useRef, useSyncExternalStore } from 'react';
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
  const own = useRef(undefined);
  const stream = isStream(source) ? source : undefined;
  useEffect(() => {
    if (stream !== undefined) start(stream, ofStream(stream, options));
    // The options are those of the first rendering.
  }, [stream]);
  if (source instanceof LiveCalls) return source;
  if (stream !== undefined) return ofStream(stream, options).live;
  own.current = Messages.of(own.current, source ?? [], options);
  return own.current.live;
}

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
  live;
  #seen = [];

  constructor(options) {
    this.live = new LiveCalls(options);
  }

  /** Those of `messages`: the `known` ones with what is new or was replaced, or all anew where some were taken away. */
  static of(known, messages, options) {
    const last = known?.#seen;
    const grown = last !== undefined && messages.length >= last.length && last.every((message, at) => same(message, messages[at]));
    const of = grown ? known : new Messages(options);
    messages.forEach((message, at) => {
      if (of.#seen[at] === message) return;
      of.#seen[at] = message;
      of.live.push(message);
    });
    return of;
  }
}

/** Whether a message is the other one, perhaps with more in it. */
function same(a, b) {
  return a === b || (a?.id !== undefined && a.id === b?.id);
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
