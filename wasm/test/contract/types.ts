// What TypeScript knows of tools: the arguments from the schema.
import { defineTool, Output, Registry, ToolError } from 'toolprism/contract';
import type { Problem, Tool, Update } from 'toolprism/contract';
import * as z from 'zod';

const head: Tool = defineTool({
  id: 'head',
  kind: 'read',
  input: z.object({ path: z.string(), lines: z.int().default(10), mode: z.enum(['fast', 'slow']).optional() }),
  async run({ path, lines, mode }, { callId, signal, argumentsText }) {
    const text: string = path + callId + argumentsText;
    const count: number = lines;
    const how: 'fast' | 'slow' | undefined = mode;
    if (signal.aborted) throw new ToolError('not_found', 'gone', { details: { count } });
    // @ts-expect-error there is no such argument
    path.nothing;
    return { text, how };
  },
});
const run = defineTool({
  id: 'run',
  toJSONSchema: (schema) => z.toJSONSchema(schema, { io: 'input' }),
  input: z.object({ command: z.string() }),
  async *run({ command }) {
    yield command.toUpperCase();
    yield { kind: 'custom', subkind: 'bar', payload: 0.5 };
    return new Output({ command }, { prompt: 'done', isError: false, type: 'Ran', content: [] });
  },
});
const free = defineTool({ id: 'free', input: { type: 'object' }, run: (args) => args.anything });
// @ts-expect-error no such kind
defineTool({ id: 'x', kind: 'reed', run: () => 1 });
// @ts-expect-error a tool does something
defineTool({ id: 'x' });

const registry = new Registry([head, run]).add(free, { name: 'liberty', parameters: { a: 'b' } });
const strict: true | undefined = registry.list('openai')[0]?.strict;
const inputSchema: 'object' | undefined = registry.list('mcp')[0]?.inputSchema.type;
const key: string | undefined = registry.list()[0]?.key;
// @ts-expect-error no such profile
registry.list('other');
const result = await registry.call({ name: 'head', arguments: {} }, { onUpdate: (update: Update) => update.status, signal: AbortSignal.abort() });
const problems: Problem[] | undefined = result.error?.details?.problems;
const code: string | undefined = result.changes[0]?.code;
export { code, inputSchema, key, problems, strict };
