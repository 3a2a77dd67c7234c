// Genuine agents behind `toolprism acp-proxy`, the official SDK before it, a scripted model behind all: nothing leaves this machine.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv/dist/2020.js';

import { agents } from './agents.mjs';
import { converse } from './client.mjs';
import { serveModel } from './model.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, 'node_modules');
const program = process.env.TOOLPRISM;
const read = async (path) => JSON.parse(await readFile(path, 'utf8'));
const acpSchema = await read(join(modules, '@agentclientprotocol/sdk/schema/v1/schema.json'));
const envelopeSchema = await read(join(process.env.TOOLPRISM_ROOT, 'core/schema/tool_meta.schema.json'));

const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(acpSchema, 'acp');
const valid = {
  'session/update': ajv.compile({ $ref: 'acp#/$defs/SessionNotification' }),
  'session/request_permission': ajv.compile({ $ref: 'acp#/$defs/RequestPermissionRequest' }),
};
// The published schema has a closed set of namespaces; harnesses outside of it have one of their own.
const { $schema: _, ...envelopeText } = envelopeSchema;
envelopeText.properties.namespace = { type: 'string' };
const validEnvelope = ajv.compile(envelopeText);

const names = process.env.AGENTS ? process.env.AGENTS.split(',') : Object.keys(agents);

for (const name of names) {
  test(name, { timeout: 120_000 }, async () => {
    const agent = agents[name];
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'toolprism-agent-')));
    const [home, project, raw] = ['home', 'project', 'raw.jsonl'].map((part) => join(folder, part));
    await mkdir(home);
    await mkdir(project);
    await writeFile(join(project, 'notes.txt'), 'one\ntwo\nthree\n');
    const script = agent.script((path) => join(project, path));
    const model = await serveModel(script.map(({ name, args }) => ({ text: 'Next.', calls: [{ name, args }] })));
    const servers = [{ name: 'things', command: process.execPath, args: [join(here, 'echo.mjs')], env: [] }];
    try {
      const ready = await agent.setUp({ home, url: model.url, modules });
      const said = await converse(ready, { program, project, home, raw, servers });
      check(agent, script, said, await readFile(raw));
      assert.match(await readFile(join(project, 'notes.txt'), 'utf8'), /two/, 'what was refused was not done');
    } finally {
      await model.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

const run = (args, input) => execFileSync(program, args, { input, maxBuffer: 1 << 28 });

const parsed = (bytes) => {
  const lines = String(bytes).split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line));
};

function check(agent, script, { heard, updates, permissions, stopReason, complaints }, raw) {
  assert.equal(stopReason, 'end_turn');
  assert.deepEqual(complaints, [], 'the SDK has nothing to complain of');
  assert.ok(run(['stamp', '--remove', '--quiet', '-'], heard).equals(raw), 'without the stamps, it is what the agent said');

  const originals = parsed(raw);
  const told = parsed(heard).flatMap(({ method, params }, i) => {
    const validate = valid[method];
    if (!validate) return [];
    // Agents break the schema as well; the stamps must not.
    if (validate(originals[i].params)) assert.ok(validate(params), ajv.errorsText(validate.errors));
    const call = params.toolCall ?? params.update;
    return call.toolCallId ? [call] : [];
  });
  const received = [...updates, ...permissions.map(({ toolCall }) => toolCall)].filter(({ toolCallId }) => toolCallId);
  const stamps = (calls) => calls.map(({ toolCallId, name, _meta }) => JSON.stringify([toolCallId, name, _meta])).sort();
  assert.deepEqual(stamps(received), stamps(told), 'the SDK hands on every message, with its stamp');
  assert.ok(permissions.length > 0, 'some permission was asked for');

  // In the order in which they are first told of.
  const ids = new Set(told.map(({ toolCallId }) => toolCallId));
  const calls = [...ids].map((id) => told.filter(({ toolCallId }) => toolCallId === id));
  assert.equal(calls.length, script.length);
  calls.forEach((messages, i) => checkCall(agent, { namespace: agent.namespace, ...script[i] }, messages, i < script.length - 1));

  // Who reads the stamped messages finds one tool in each call.
  for (const call of parsed(run(['calls', '--format', 'jsonl', '-'], heard))) {
    assert.ok(!call.flags.includes('envelope_conflict'), JSON.stringify(call));
  }
}

function checkCall(agent, { told, namespace }, messages, runs) {
  const right = { name: told.name, kind: told.kind, label: told.label, namespace };
  let known = false;
  for (const message of messages) {
    const envelope = message._meta['x.ai/tool'];
    assert.ok(validEnvelope(envelope), ajv.errorsText(validEnvelope.errors));
    const { name, kind, label, namespace } = envelope;
    known ||= name === right.name;
    if (known) {
      assert.deepEqual({ name, kind, label, namespace }, right);
      assert.equal(message.name, right.name);
    } else {
      // Who asks for permission before it names the tool, gets a guess, which has the right label.
      assert.ok(agent.namesLate, `${name} for ${right.name}`);
      assert.deepEqual([kind, label, message.name], [right.kind, right.label, undefined]);
    }
  }
  assert.ok(known || !runs, `${right.name} is known in the end`);
  assert.deepEqual(messages.at(-1)._meta['x.ai/tool'].input, told.input);
  const status = messages.map(({ status }) => status).findLast(Boolean);
  assert.ok(runs ? ['completed', 'failed'].includes(status) : status !== 'completed', `${right.name}: ${status}`);
}
