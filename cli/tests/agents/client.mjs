// An ACP client made with the official SDK, which talks to an agent through `toolprism acp-proxy`.

import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';

import { isRefused } from './agents.mjs';
import { PROMPT } from './model.mjs';

/**
 * Runs one prompt. `agent` is `{command, env, auth?, fs?}`. What the agent says itself is recorded in the file
 * `raw`. Gives `{heard, updates, permissions, stopReason, complaints}`: the bytes that came, and what the SDK made of them.
 */
export async function converse(agent, { program, project, home, raw, servers }) {
  // The agent takes the place of the shell, so that signals reach it; `tee` is beside it.
  const script = 'exec "$@" > >(exec tee "$0")';
  const proxied = ['acp-proxy', '--', 'bash', '-c', script, raw, ...agent.command];
  const child = spawn(program, proxied, {
    cwd: project,
    // Where an agent wants to reach the world, it finds a closed door.
    env: { PATH: process.env.PATH, HOME: home, HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1', ...agent.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const errors = [];
  child.stderr.on('data', (data) => errors.push(data));
  const heard = [];
  const listening = new TransformStream({
    transform(chunk, controller) {
      heard.push(Buffer.from(chunk));
      controller.enqueue(chunk);
    },
  });
  const complaints = [];
  const log = console.error;
  console.error = (...words) => complaints.push(words.map(String).join(' '));
  const updates = [];
  const permissions = [];
  const app = acp
    .client({ name: 'test' })
    .onNotification(acp.methods.client.session.update, ({ params }) => {
      updates.push(params.update);
    })
    .onNotification('*', () => {})
    .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
      permissions.push(params);
      const wanted = isRefused(params.toolCall) ? 'reject' : 'allow_once';
      const option = params.options.find(({ kind }) => kind.startsWith(wanted));
      return { outcome: { outcome: 'selected', optionId: option.optionId } };
    })
    .onRequest(acp.methods.client.fs.readTextFile, async ({ params }) => {
      const content = await readFile(params.path, 'utf8').catch(() => {
        throw acp.RequestError.resourceNotFound(params.path);
      });
      return { content };
    })
    .onRequest(acp.methods.client.fs.writeTextFile, async ({ params }) => {
      await mkdir(dirname(params.path), { recursive: true });
      await writeFile(params.path, params.content);
      return {};
    });
  const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout).pipeThrough(listening));
  const exited = new Promise((done) => child.on('exit', (code, signal) => done(signal ?? code)));
  try {
    const work = app.connectWith(stream, async (agentSide) => {
      const fs = { readTextFile: agent.fs ?? false, writeTextFile: agent.fs ?? false };
      await agentSide.request(acp.methods.agent.initialize, {
        protocolVersion: acp.PROTOCOL_VERSION,
        clientCapabilities: { fs, terminal: false },
        clientInfo: { name: 'test', version: '1.0.0' },
      });
      if (agent.auth) await agentSide.request(acp.methods.agent.authenticate, { methodId: agent.auth });
      const { sessionId } = await agentSide.request(acp.methods.agent.session.new, { cwd: project, mcpServers: servers });
      const prompt = [{ type: 'text', text: PROMPT }];
      const { stopReason } = await agentSide.request(acp.methods.agent.session.prompt, { sessionId, prompt });
      return stopReason;
    });
    const early = exited.then((code) => Promise.reject(new Error(`the agent ended early: ${code}`)));
    const stopReason = await Promise.race([work, early]);
    return { heard: await ended(), updates, permissions, stopReason, complaints };
  } catch (error) {
    throw new Error(`${error.message ?? JSON.stringify(error)}\n${Buffer.concat(errors)}`, { cause: error });
  } finally {
    console.error = log;
    child.kill();
  }

  async function ended() {
    child.stdin.end();
    const late = setTimeout(() => child.kill(), 2000);
    await exited;
    clearTimeout(late);
    return Buffer.concat(heard);
  }
}
