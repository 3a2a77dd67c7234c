import { type Source, sorted } from '../scan/files';

const files = import.meta.glob('../../../samples/*/**/*.{json,jsonl}', { query: '?url', import: 'default', eager: true }) as Record<string, string>;

export interface Sample {
  id: string;
  name: string;
  about: string;
}

/** Genuine sessions of the programs, one for each agent. */
export const SAMPLES: Sample[] = [
  { id: 'claude_code', name: 'Claude Code', about: 'a session and its two subagents' },
  { id: 'codex', name: 'Codex', about: 'rollouts of two versions' },
  { id: 'grok_build', name: 'Grok Build', about: 'with genuine envelopes' },
  { id: 'opencode', name: 'OpenCode', about: 'an exported session' },
  { id: 'gemini_cli', name: 'Gemini CLI', about: 'a recorded chat' },
  { id: 'acp', name: 'ACP', about: 'messages of two agents' },
];

/** The files of a sample. They are part of the page. */
export async function fetched(id: string): Promise<Source[]> {
  const own = Object.entries(files).filter(([path]) => path.includes(`/samples/${id}/`));
  const sources = await Promise.all(
    own.map(async ([path, url]) => {
      const answer = await fetch(url);
      if (!answer.ok) throw new Error(`the sample could not be loaded (${answer.status})`);
      return { name: path.slice(path.indexOf('/samples/') + '/samples/'.length), blob: await answer.blob(), found: true };
    }),
  );
  return sorted(sources);
}
