// Genuine sessions, each as its agent has sent it.
const found = import.meta.glob(['../sessions/*.jsonl', '../../../samples/acp/*.jsonl'], { query: '?raw', import: 'default' });

const NAMES = {
  grok_build: 'Grok Build',
  claude_code: 'Claude Code',
  gemini_cli: 'Gemini CLI',
  opencode: 'OpenCode',
  qwen_code: 'Qwen Code',
  copilot_cli: 'GitHub Copilot CLI',
};

/** What is needed to show a session: its messages, and how to read them. */
export const sessions = Object.entries(NAMES).map(([id, name]) => ({
  id,
  name,
  options: id === 'claude_code' ? { wire: 'anthropic_messages', harness: 'claude_code' } : { wire: 'acp' },
  async messages() {
    const path = Object.keys(found).find((path) => path.endsWith(`/${id}.jsonl`));
    const lines = (await found[path]()).trim().split('\n');
    return lines.map((line) => JSON.parse(line));
  },
}));

/** What a message says in words, and who says it. */
export function wordsOf({ msg, ...message }) {
  const update = msg?.params?.update;
  if (update?.sessionUpdate === 'agent_message_chunk') return { from: 'agent', text: update.content.text ?? '' };
  if (msg?.method === 'session/prompt') return { from: 'user', text: msg.params.prompt.map((block) => block.text ?? '').join('') };
  if (message.type !== 'assistant' && message.type !== 'user') return undefined;
  const { content } = message.message;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const text = blocks.filter((block) => block.type === 'text').map((block) => block.text).join('');
  return text === '' ? undefined : { from: message.type === 'user' ? 'user' : 'agent', text };
}
