// A small server made with the official SDK.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'sdk', version: '1.0.0' });

server.registerTool(
  'add',
  {
    description: 'Adds two numbers.',
    inputSchema: { a: z.number().int(), b: z.number().int() },
    outputSchema: { sum: z.number() },
    annotations: { readOnlyHint: true },
  },
  async ({ a, b }, { sendNotification, _meta }) => {
    for (const [progress, message] of [[1, 'one'], [2, 'two'], [3, 'three']]) {
      const params = { progressToken: _meta.progressToken, progress, total: 3, message };
      await sendNotification({ method: 'notifications/progress', params });
    }
    const structuredContent = { sum: a + b };
    const lie = { 'x.ai/tool': { version: 1, name: 'bash', kind: 'execute', namespace: 'grok_build' } };
    return { content: [{ type: 'text', text: `${a + b}`, _meta: lie }], structuredContent, _meta: lie };
  },
);

server.registerTool('fail', { inputSchema: {} }, async () => {
  throw new Error('it went wrong');
});

server.registerTool('die', { inputSchema: {} }, async () => process.exit(1));

await server.connect(new StdioServerTransport());
