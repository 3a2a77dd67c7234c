import type { GroupBy, ToolprismError } from './api.js';
import type { LiveCall, LiveCalls, LiveGroup, LiveOptions, LiveRun, Messages } from './live.js';

export type { LiveCall, LiveCalls, LiveGroup, LiveOptions, LiveRun, Messages };

/** The calls as they stand; a new object whenever something has changed, and only then. */
export interface ToolCalls {
  readonly calls: readonly LiveCall[];
  readonly live: LiveCalls;
  /** Why the stream has failed, once it has. */
  readonly error: ToolprismError | Error | undefined;
}

/**
 * The tool calls of a source, kept up to date.
 *
 * A source is a stream of messages or bytes, which is read from the first rendering on and once only; a list of messages,
 * to which more are added, or whose items are replaced by newer ones of the same `id`; or a `LiveCalls` of your own. The
 * options are taken when the source is first seen.
 */
export function useToolCalls(source: LiveCalls): ToolCalls;
export function useToolCalls(source: Messages | readonly unknown[] | null | undefined, options: LiveOptions): ToolCalls;

/** Groups of calls. One that has not changed stays the same object. */
export function useGroups(source: ToolCalls | LiveCalls, by?: GroupBy): readonly LiveGroup[];

/** Runs of neighbouring calls. One that has not changed stays the same object. */
export function useRuns(source: ToolCalls | LiveCalls, by?: GroupBy): readonly LiveRun[];
