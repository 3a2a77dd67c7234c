// A model that follows a script: a server on the loopback that speaks OpenAI's chat completions and Gemini's API.

import { createServer } from 'node:http';

/** What the client asks for. */
export const PROMPT = 'Please follow the script';

/**
 * Starts the server. `steps` are the model's turns, one for each answer that it has given so far in a conversation:
 * `{text?, calls?: [{name, args}]}`. After the last one, and without tools, it only says that it is done.
 */
export async function serveModel(steps) {
  const server = createServer((request, response) => {
    answer(steps, request, response).catch((error) => response.destroy(error));
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => closed(server) };
}

function closed(server) {
  server.closeAllConnections();
  return new Promise((done) => server.close(done));
}

async function answer(steps, request, response) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  const body = text === '' ? {} : JSON.parse(text);
  const path = request.url.split('?')[0];
  if (path.endsWith('/chat/completions')) return chat(step(steps, body.messages, 'assistant', body.tools), body, response);
  if (/generatecontent$/i.test(path)) return gemini(step(steps, body.contents, 'model', body.tools), path, response);
  if (path.endsWith('/models')) return json(response, { object: 'list', data: [{ id: 'scripted', object: 'model' }] });
  json(response, { totalTokens: 10 });
}

const done = { text: 'Done.' };

function step(steps, messages = [], role, tools) {
  if (!tools?.length) return done;
  // Some agents begin a conversation with an answer that the model never gave.
  const begin = messages.findIndex((message) => JSON.stringify(message).includes(PROMPT));
  return steps[messages.slice(begin).filter((message) => message.role === role).length] ?? done;
}

function json(response, value) {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
}

function events(response, values) {
  response.setHeader('content-type', 'text/event-stream');
  response.end(values.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\r\n\r\n`).join(''));
}

let ids = 0;

function chat({ text, calls = [] }, body, response) {
  const tool_calls = calls.map(({ name, args }, index) => ({
    index,
    id: `call_${++ids}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const usage = { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 };
  const finish_reason = calls.length ? 'tool_calls' : 'stop';
  const about = { id: `answer_${++ids}`, created: 1, model: body.model };
  if (!body.stream) {
    const message = { role: 'assistant', content: text ?? null, ...(calls.length && { tool_calls }) };
    return json(response, { ...about, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage });
  }
  const chunk = (delta, finish_reason = null) => ({
    ...about,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  // Arguments come in two pieces, as they do from a model.
  const pieces = tool_calls.flatMap(({ function: { name, arguments: args }, ...call }) => [
    chunk({ tool_calls: [{ ...call, function: { name, arguments: args.slice(0, 5) } }] }),
    chunk({ tool_calls: [{ index: call.index, function: { arguments: args.slice(5) } }] }),
  ]);
  const front = chunk({ role: 'assistant', content: text ?? '' });
  events(response, [front, ...pieces, chunk({}, finish_reason), { ...about, choices: [], usage }, '[DONE]']);
}

function gemini({ text, calls = [] }, path, response) {
  const parts = calls.map(({ name, args }) => ({ functionCall: { name, args } }));
  if (text !== undefined) parts.unshift({ text });
  const value = {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 },
  };
  if (/stream/i.test(path)) events(response, [value]);
  else json(response, value);
}
