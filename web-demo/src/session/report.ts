// What can be told of a tool that is not known without telling anything of the log: names and types.

import type { CallRecord } from 'toolprism';

const DEEPEST = 6;
const MOST_KEYS = 40;
/** So many items of a list are looked at, and so many kinds of them told. */
const MOST_ITEMS = 100;
const MOST_KINDS = 3;
/** A member's name as people choose them. What looks otherwise may be a value: a path, an address, a person's name. */
const NAME = /^[A-Za-z_$][\w$-]{0,39}$/;

function shape(value: unknown, depth: number): unknown {
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    if (depth === DEEPEST) return 'list';
    const kinds = new Map<string, unknown>();
    for (const item of value.slice(0, MOST_ITEMS)) {
      const kind = shape(item, depth + 1);
      kinds.set(JSON.stringify(kind), kind);
    }
    return [...kinds.values()].slice(0, MOST_KINDS);
  }
  if (typeof value === 'object') {
    if (depth === DEEPEST) return 'object';
    const members = Object.entries(value as object);
    const shown: [string, unknown][] = members.slice(0, MOST_KEYS).map(([name, member]) => [NAME.test(name) ? name : '<name>', shape(member, depth + 1)]);
    if (members.length > MOST_KEYS) shown.push(['<more>', members.length - MOST_KEYS]);
    return Object.fromEntries(shown);
  }
  return typeof value;
}

/** The types of arguments, as JSON in which each value is the name of its type. */
export function shapeOf(rawInput: string | null): unknown {
  if (rawInput === null) return 'none';
  try {
    const value: unknown = JSON.parse(rawInput);
    // Some agents write the arguments as text within a text.
    if (typeof value === 'string') return { 'text with': shapeOf(value) };
    return shape(value, 0);
  } catch {
    return 'text that is no JSON';
  }
}

export function reportOf(call: CallRecord, rawInput: string | null): string {
  const report = {
    tool: call.name.slice(0, 100),
    agent: call.harness,
    agent_version: call.version,
    format: call.format,
    label: call.label,
    why: call.why,
    status: call.status,
    raw_input: shapeOf(rawInput),
  };
  return JSON.stringify(report, null, 2);
}
