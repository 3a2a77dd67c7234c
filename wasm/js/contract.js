import { ToolprismError, textOf } from './error.js';
import { Handle } from './handle.js';

/** An error of a tool. A kind that is none of the contract's is the code of a custom one. */
export class ToolError extends Error {
  constructor(kind, message, { details, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.details = details;
  }
}
ToolError.prototype.name = 'ToolError';

/** An output with more than its value. */
export class Output {
  constructor(value, { prompt, isError = false, type, content } = {}) {
    Object.assign(this, { value, prompt, isError, type, content });
  }
}

const STANDARD = '~standard';

/** A tool, with the schema of its arguments as JSON Schema. */
export function defineTool(tool) {
  const { id, kind = 'other', namespace = 'dynamic', description = '', input = { type: 'object' }, readOnly, run, toJSONSchema } = tool;
  if (typeof run !== 'function') throw new TypeError(`the tool ${id} has no function run`);
  const standard = input?.[STANDARD];
  const schema = standard === undefined ? input : schemaOf(id, input, standard, toJSONSchema);
  return Object.freeze({ id, kind, namespace, description, input, schema, readOnly, run: run.bind(tool), standard });
}

/** The JSON Schema of what a schema of a library takes. */
function schemaOf(id, input, standard, toJSONSchema) {
  if (toJSONSchema !== undefined) return toJSONSchema(input, { io: 'input' });
  if (standard.jsonSchema !== undefined) return standard.jsonSchema.input({ target: 'draft-2020-12' });
  if (typeof input.toJSONSchema === 'function') return input.toJSONSchema({ io: 'input' });
  throw new TypeError(`the schema of the tool ${id} does not say what it is as JSON Schema: give toJSONSchema as well, such as z.toJSONSchema`);
}

const CATEGORIES = {
  invalid_type: 'params_type',
  invalid_union: 'params_type',
  invalid_value: 'params_unknown_variant',
  invalid_format: 'params_invalid',
};

/** What a library's schema finds wrong, as problems. */
function problemsOf(issues, value) {
  return issues.flatMap((issue) => {
    const steps = (issue.path ?? []).map((step) => (typeof step === 'object' && step !== null ? step.key : step));
    const problem = (path, category) => ({ path: path.map(pointer).join(''), category, hint: issue.message });
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => problem([...steps, key], 'params_unknown_field'));
    const isMissing = issue.code === 'invalid_type' && steps.reduce((at, step) => at?.[step], value) === undefined;
    return problem(steps, isMissing ? 'params_missing_field' : (CATEGORIES[issue.code] ?? 'params_constraint'));
  });
}

function pointer(step) {
  return `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** What a tool threw, as the error of its call. */
function errorOf(thrown) {
  if (thrown instanceof ToolError) return { kind: thrown.kind, message: thrown.message, details: thrown.details };
  return { kind: 'execution', message: shown(thrown) };
}

/** A value that was thrown, which may be anything. */
function shown(thrown) {
  try {
    return String(thrown);
  } catch {
    return 'what it threw has no text';
  }
}

function abortOf({ reason }) {
  if (reason?.name === 'TimeoutError') return { kind: 'timeout', message: 'the call took longer than it may' };
  return { kind: 'cancelled', message: 'the call was cancelled' };
}

/** The end of a call that gave this. */
function endOf(given) {
  const { value, prompt, isError, type, content } = given instanceof Output ? given : { value: given };
  let why;
  try {
    // What has no JSON, as a function, would be left out.
    if (value === undefined || JSON.stringify(value) !== undefined) {
      return JSON.stringify({ output: value ?? null, prompt, is_error: isError, type, content });
    }
    why = `it is a ${typeof value}`;
  } catch (error) {
    why = shown(error);
  }
  const message = `the tool's output cannot be written as JSON: ${why}`;
  return JSON.stringify({ error: { kind: 'execution', message, details: { reason: 'output_encoding' } } });
}

let calls = 0;

/** The class, by what answers: `native` gives its class, and sees to it that it is ready. */
export function bind(native) {
  class Registry {
    #registry;
    #tools = new Map();

    constructor(tools = []) {
      const ready = native();
      this.#registry = new Handle(() => new ready.ToolRegistry());
      for (const tool of tools) this.add(tool);
    }

    add(tool, { name, parameters = {} } = {}) {
      const { id, kind, namespace, description, schema, readOnly } = tool;
      const definition = { id, kind, namespace, description, schema, read_only: readOnly, name, parameters };
      const text = textOf(definition, 'a tool');
      this.#tools.set(this.#registry.ask((registry) => registry.register(text)), tool);
      return this;
    }

    list(profile) {
      return JSON.parse(this.#registry.ask((registry) => registry.list(profile)));
    }

    async call({ id = `call-${++calls}`, name, arguments: given = '{}' }, { onUpdate, signal = new AbortController().signal } = {}) {
      const request = textOf({
        id,
        name,
        arguments: typeof given === 'string' ? given : textOf(given, 'arguments'),
        max_integer: Number.MAX_SAFE_INTEGER,
        cancelled: signal.aborted,
      });
      const begun = this.#registry.ask((registry) => registry.begin(request));
      const call = new Call(begun, onUpdate);
      try {
        if (call.run !== undefined) await call.work(this.#tools.get(call.run.tool), id, signal);
        return call.result();
      } finally {
        call.free();
      }
    }

    /** Gives its memory back at once. Without it, that happens when nothing refers to the registry any more. */
    free() {
      this.#registry.free();
    }
  }
  if (Symbol.dispose) Registry.prototype[Symbol.dispose] = Registry.prototype.free;

  return { Registry };
}

/** One call. */
class Call {
  #call;
  #onUpdate;
  #updates = [];
  #outcome;

  constructor(begun, onUpdate) {
    this.#call = new Handle(() => begun);
    this.#onUpdate = onUpdate;
    this.#tell(this.#call.ask((call) => call.begun()));
  }

  result() {
    const { output, prompt, is_error, error, changes } = this.#outcome;
    return { output, prompt, is_error, error, updates: this.#updates, changes };
  }

  free() {
    this.#call.free();
  }

  #tell(text) {
    const { updates, run, outcome } = JSON.parse(text);
    this.run = run;
    this.#outcome = outcome;
    for (const update of updates) {
      this.#updates.push(update);
      this.#onUpdate?.(update);
    }
  }

  #end(text) {
    this.#tell(this.#call.ask((call) => call.end(text)));
  }

  /** Does the tool's work, until it or the signal ends the call. */
  async work(tool, callId, signal) {
    const { tool: key, arguments: argumentsText } = this.run;
    let abort, steps;
    const ended = new Promise((resolve) => {
      abort = () => resolve({ end: { error: abortOf(signal) } });
    });
    signal.addEventListener('abort', abort);
    // Only the tool's own code is looked after: what a listener throws is the caller's.
    const own = async (work) => {
      try {
        return await Promise.race([work(), ended]);
      } catch (thrown) {
        return { end: { error: errorOf(thrown) } };
      }
    };
    try {
      const context = { callId, tool: key, signal, argumentsText };
      const begun = await own(async () => {
        const { args, problems } = await argumentsOf(tool, argumentsText);
        return problems ? { end: { problems } } : { given: await tool.run(args, context) };
      });
      steps = stepsOf(begun.given);
      if (steps === undefined) return this.#end(begun.end ? JSON.stringify(begun.end) : endOf(begun.given));
      while (this.#outcome === undefined) {
        const { end, given } = await own(async () => ({ given: await steps.next() }));
        if (end !== undefined) this.#end(JSON.stringify(end));
        else if (given.done || given.value instanceof Output) this.#end(endOf(given.value));
        else this.#progress(given.value);
      }
    } finally {
      signal.removeEventListener('abort', abort);
      close(steps);
    }
  }

  #progress(item) {
    let text;
    try {
      const json = textOf(item, 'progress');
      text = this.#call.ask((call) => call.progress(json));
    } catch (error) {
      return this.#end(JSON.stringify({ error: errorOf(error) }));
    }
    this.#tell(text);
  }
}

/** The arguments as the tool's schema reads them, or what is wrong with them. */
async function argumentsOf({ standard }, text) {
  const value = JSON.parse(text);
  if (standard === undefined) return { args: value };
  const read = await standard.validate(value);
  return read.issues ? { problems: problemsOf(read.issues, value) } : { args: read.value };
}

/** A generator that was given, sync or not. */
function stepsOf(given) {
  const isGenerator = typeof given?.next === 'function' && (given[Symbol.asyncIterator] ?? given[Symbol.iterator]) !== undefined;
  return isGenerator ? given : undefined;
}

/** Has a generator clean up; nobody waits for it, for it may never get there. */
function close(steps) {
  Promise.resolve()
    .then(() => steps?.return?.())
    .catch(() => {});
}
