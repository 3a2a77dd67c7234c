// The agents: how each is set up to ask the scripted model, what the model does with its tools, and what must be told of that.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

async function settings(home, path, value) {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(value));
}

const platform = process.platform === 'win32' ? 'windows' : process.platform;

/** The last call of each script is the one that the client refuses; it ends the turn in some agents. */
export const isRefused = (asked) => JSON.stringify(asked).includes('rm notes.txt');

/** A call of the script, and the envelope that must be told of it. */
const call = (name, args, kind, label, input, more = {}) => ({ name, args, told: { name, kind, label, input }, ...more });

export const agents = {
  opencode: {
    namespace: 'opencode',
    async setUp({ home, url, modules }) {
      await settings(home, '.config/opencode/opencode.json', {
        autoupdate: false,
        share: 'disabled',
        model: 'script/scripted',
        small_model: 'script/scripted',
        permission: { '*': 'allow', bash: 'ask' },
        provider: {
          script: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'none' },
            models: { scripted: { tool_call: true, limit: { context: 90000, output: 4000 } } },
          },
        },
      });
      return {
        command: [join(modules, `opencode-${platform}-${process.arch}/bin/opencode`), 'acp'],
        env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
      };
    },
    script: (at) => [
      call('read', { filePath: at('notes.txt'), offset: 1, limit: 2 }, 'read', 'Read', { path: at('notes.txt'), offset: 1, limit: 2 }),
      call('grep', { pattern: 'two', path: at('.') }, 'search', 'Search', { path: at('.'), pattern: 'two' }),
      call('write', { filePath: at('new/é.txt'), content: 'x\n' }, 'write', 'Write', { path: at('new/é.txt') }),
      call('edit', { filePath: at('notes.txt'), oldString: 'one', newString: '1' }, 'edit', 'Edit', { path: at('notes.txt') }),
      call('bash', { command: 'cat notes.txt', description: 'Shows the notes' }, 'execute', 'Run Command', {
        command: 'cat notes.txt',
        description: 'Shows the notes',
      }),
      call('read', { filePath: at('missing.txt') }, 'read', 'Read', { path: at('missing.txt') }),
      call('things_echo', { text: 'hi' }, 'other', 'Tool', undefined, { namespace: 'mcp' }),
      call('bash', { command: 'rm notes.txt', description: 'Removes them' }, 'execute', 'Run Command', {
        command: 'rm notes.txt',
        description: 'Removes them',
      }),
    ],
  },
  gemini: {
    namespace: 'gemini_cli',
    async setUp({ home, url, modules }) {
      await settings(home, '.gemini/settings.json', {
        security: { auth: { selectedType: 'gemini-api-key' } },
        telemetry: { enabled: false },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      });
      return {
        command: [process.execPath, join(modules, '@google/gemini-cli/bundle/gemini.js'), '--acp', '-m', 'gemini-2.5-pro'],
        env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url },
        auth: 'gemini-api-key',
      };
    },
    // It sends no arguments, so there is no input.
    script: () => [
      call('list_directory', { dir_path: '.' }, 'list_dir', 'List Files'),
      call('read_file', { file_path: 'notes.txt' }, 'read', 'Read'),
      call('grep_search', { pattern: 'two' }, 'search', 'Search'),
      call('write_file', { file_path: 'new.txt', content: 'x\n' }, 'write', 'Write'),
      call('run_shell_command', { command: 'cat notes.txt' }, 'execute', 'Run Command'),
      call('run_shell_command', { command: 'rm notes.txt' }, 'execute', 'Run Command'),
    ],
  },
  qwen: {
    namespace: 'qwen_code',
    // Not before it has been given permission.
    namesLate: true,
    async setUp({ home, url, modules }) {
      await settings(home, '.qwen/settings.json', {
        security: { auth: { selectedType: 'openai' } },
        telemetry: { enabled: false },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
      });
      return {
        command: [process.execPath, join(modules, '@qwen-code/qwen-code/cli.js'), '--acp'],
        // It sends what is for the loopback to a proxy as well.
        env: { HTTPS_PROXY: '', OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted' },
        fs: true,
      };
    },
    script: (at) => [
      call('read_file', { file_path: at('notes.txt') }, 'read', 'Read', { path: at('notes.txt') }),
      call('list_directory', { path: at('.') }, 'list_dir', 'List Files', { directory: at('.') }),
      call('write_file', { file_path: at('new.txt'), content: 'x\n' }, 'write', 'Write', { path: at('new.txt') }),
      call('run_shell_command', { command: 'cat notes.txt', is_background: false }, 'execute', 'Run Command', {
        command: 'cat notes.txt',
      }),
      call('mcp__things__echo', { text: 'hi' }, 'other', 'Tool', undefined, { namespace: 'mcp' }),
      call('run_shell_command', { command: 'rm notes.txt', is_background: false }, 'execute', 'Run Command', {
        command: 'rm notes.txt',
      }),
    ],
  },
};
