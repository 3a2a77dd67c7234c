import { useAuiState } from '@assistant-ui/react';
import { useToolCalls as useCallsOf } from './react.js';

export { useGroups, useRuns } from './react.js';

export function useToolCalls(options) {
  const messages = useAuiState(({ thread }) => thread.messages);
  return useCallsOf(messages, { wire: 'ai_sdk', ...options });
}
