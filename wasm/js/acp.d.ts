import type { LiveCalls, LiveOptions } from './live.js';

export type { LiveCall, LiveCalls, LiveGroup, LiveRun } from './live.js';

interface Stream<M> {
  readable: ReadableStream<M>;
  writable: WritableStream<M>;
}

/**
 * A stream of `@agentclientprotocol/sdk` (what `ndJsonStream` gives), unchanged, and the tool calls of the messages that pass
 * through it in either direction: hand the stream that comes back to `ClientSideConnection`.
 */
export function tapped<M>(stream: Stream<M>, options?: Partial<LiveOptions> | LiveCalls): { stream: Stream<M>; live: LiveCalls };
