import { useToolCalls as useCallsOf } from './react.js';

export { useGroups, useRuns } from './react.js';

export function useToolCalls(messages, options) {
  return useCallsOf(messages, { wire: 'ai_sdk', ...options });
}
