// The call as code for each face, to be pasted and run.

import { isJson } from '../scan/record';

export interface CallText {
  name: string;
  harness: string;
  version: string;
  /** The arguments, as typed. */
  input: string;
}

export interface Face {
  id: string;
  title: string;
  /** How to get it. */
  install: string;
  code(call: CallText): string;
}

/** The arguments as an object, if they are one; else they go over as the text they are. */
function objectOf(input: string): object | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !hasLoss(input) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether JavaScript would change what the text says: numbers that it rounds, members that it drops or takes for something else. */
function hasLoss(input: string): boolean {
  return /"__proto__"/.test(input) || [...input.matchAll(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)].some(([number]) => number.length > 15);
}

/** The members of a call that were filled in, as pairs. */
function members({ harness, version, name }: CallText): [string, string][] {
  return ([['harness', harness], ['version', version], ['name', name]] as [string, string][]).filter(([, value]) => value !== '');
}

const quote = (text: string) => JSON.stringify(text);

function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`);
}

function javascript(call: CallText): string {
  const object = objectOf(call.input);
  const input = object ? indented(JSON.stringify(object, null, 2), '  ') : quote(call.input);
  const lines = [...members(call).map(([name, value]) => `  ${name}: ${quote(value)},`), `  raw_input: ${input},`];
  return `import { identify } from 'toolprism';

const call = identify({
${lines.join('\n')}
});
console.log(call.label, call.why, call.input);`;
}

/** A JSON value as Python writes it. */
function literal(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const items = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([name, item]) => `${quote(name)}: ${literal(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return items.length === 0 ? `${open}${close}` : `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}

function python(call: CallText): string {
  const object = objectOf(call.input);
  const input = object ? literal(object, '    ') : quote(call.input);
  const lines = [...members(call).map(([name, value]) => `    ${quote(name)}: ${quote(value)},`), `    "raw_input": ${input},`];
  return `import toolprism

call = toolprism.identify({
${lines.join('\n')}
})
print(call["label"], call["why"], call.get("input"))`;
}

/** A text as a string of Rust; a raw one where another would be full of escapes. */
function raw(text: string): string {
  if (quote(text) === `"${text}"`) return quote(text);
  // A raw string has no way to write a lone carriage return.
  if (text.includes('\r')) return quote(text).replace(/\\u([0-9a-f]{4})/gi, '\\u{$1}').replaceAll('\\b', '\\u{8}').replaceAll('\\f', '\\u{c}');
  const longest = Math.max(0, ...[...text.matchAll(/"(#*)/g)].map(([, hashes = '']) => hashes.length + 1));
  const hashes = '#'.repeat(longest);
  return `r${hashes}"${text}"${hashes}`;
}

function rust(call: CallText): string {
  const fields = members(call).map(([name, value]) => `    ${name}: Some(${raw(value)}),`);
  return `use toolprism::{Call, identify, json::RawJson};

let raw = RawJson::parse(${raw(objectOf(call.input) || isJson(call.input) ? call.input : quote(call.input))})?;
let found = identify(&Call {
${fields.join('\n')}
    raw_input: Some(raw),
    ..Call::default()
});
println!("{} {} {:?}", found.meta.label, found.why.as_str(), found.meta.canonical_input());`;
}

/** The interface `identity` of the component takes and gives JSON text. */
function component(call: CallText): string {
  const object = isJson(call.input) ? call.input : quote(call.input);
  const call_members = [...members(call).map(([name, value]) => `${quote(name)}: ${quote(value)}`), `"raw_input": ${object.trim()}`];
  return `// npx @bytecodealliance/jco transpile dist/toolprism.component.wasm --name tools -o tools
import { identity } from './tools/tools.js';

// identify: func(call: string) -> result<string, error>
const call = JSON.parse(identity.identify(${quote(`{${call_members.join(', ')}}`)}));
console.log(call.label, call.why, call.input);`;
}

export const FACES: Face[] = [
  { id: 'js', title: 'JavaScript', install: 'npm install toolprism', code: javascript },
  { id: 'python', title: 'Python', install: 'pip install toolprism', code: python },
  { id: 'rust', title: 'Rust', install: 'cargo add toolprism', code: rust },
  { id: 'wit', title: 'WIT', install: 'cargo xtask build --all', code: component },
];
