import type { LiveOptions, Messages } from './live.js';
import type { ToolCalls } from './react.js';

export { useGroups, useRuns } from './react.js';
export type { LiveCall, LiveCalls, LiveGroup, LiveRun, ToolCalls } from './react.js';

/** The tool calls of the `messages` that `useChat` gives, or of a stream of UI message chunks. */
export function useToolCalls(messages: readonly unknown[] | Messages | null | undefined, options?: Partial<LiveOptions>): ToolCalls;
