import type { LiveOptions } from './live.js';
import type { ToolCalls } from './react.js';

export { useGroups, useRuns } from './react.js';
export type { LiveCall, LiveCalls, LiveGroup, LiveRun, ToolCalls } from './react.js';

/** The tool calls of the thread around: to be used inside of assistant-ui's `AssistantRuntimeProvider`. */
export function useToolCalls(options?: Partial<LiveOptions>): ToolCalls;
