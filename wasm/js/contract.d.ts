import type { Kind } from './api.js';

/** The kinds that are known: one that is not is no kind for a tool. */
export type ToolKind = Known<Kind>;

type Known<K> = K extends string ? (string extends K ? never : K) : never;

export { ToolprismError } from './api.js';

/** A schema of zod, or of another library that implements Standard Schema. */
export interface StandardSchema<I = unknown, O = I> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown, ...more: never[]) => unknown;
    readonly types?: { readonly input: I; readonly output: O } | undefined;
  };
}

/** What such a schema makes of what it takes. */
export type OutputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

/** A JSON Schema. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** What a tool is told of its call beside the arguments. */
export interface Context {
  readonly callId: string;
  /** The key of the tool, `namespace:id`. */
  readonly tool: string;
  /** Is aborted when nobody waits for the call any more. */
  readonly signal: AbortSignal;
  /** The arguments as JSON text. */
  readonly argumentsText: string;
}

/** Progress: a text is more of the output. */
export type Progress =
  | string
  | { kind: 'text'; text: string }
  | { kind: 'content'; blocks: readonly object[] }
  | { kind: 'custom'; subkind: string; payload: unknown };

/**
 * What a tool gives: its output, or a generator that yields progress and returns it. A text goes to the model as it is, anything else
 * as JSON; an {@link Output} says more.
 */
export type Given = unknown | AsyncGenerator<Progress | Output, unknown, void> | Generator<Progress | Output, unknown, void>;

interface About {
  /** Its id, unique within its namespace; models see it unless {@link Registry.add} says otherwise. */
  id: string;
  /** What it does; `other` unless set. */
  kind?: ToolKind;
  /** The toolset it belongs to; `dynamic` unless set. */
  namespace?: string;
  /** What it does, for the model: a template, such as `Call ${{ tools.by_kind.read }} first.` */
  description?: string;
  /** Whether it leaves files and systems alone: as its kind does, unless set. */
  readOnly?: boolean;
}

/** A tool that is ready for a {@link Registry}. */
export interface Tool extends Readonly<About> {
  /** The schema of its arguments. */
  readonly schema: JsonSchema;
}

/** A tool whose arguments are those of a schema of zod or the like. They are read by it as well, with its defaults and refinements. */
export function defineTool<S extends StandardSchema>(
  tool: About & {
    input: S;
    /** Makes JSON Schema of it (`z.toJSONSchema`), where it cannot do so itself. */
    toJSONSchema?: (schema: S, options: { io: 'input' }) => object;
    run(args: OutputOf<S>, context: Context): Given;
  },
): Tool;
/** A tool whose arguments are told by a JSON Schema; without one it takes any object. */
export function defineTool(tool: About & { input?: JsonSchema; run(args: any, context: Context): Given }): Tool;

/** An output with more than its value. A generator that yields one is at its end. */
export class Output {
  constructor(
    value: unknown,
    options?: {
      /** What the model gets instead of the value's JSON. */
      prompt?: string;
      /** The tool did not do what it was asked for. */
      isError?: boolean;
      /** The name of its type. */
      type?: string;
      /** ACP content for people. */
      content?: readonly object[];
    },
  );
}

/**
 * An error of a tool: `kind` is one of the contract's, such as `not_found`, `permission_denied` or `rate_limited`; any other is the code
 * of an error of kind `custom`. All else that a tool throws becomes an error of kind `execution`.
 */
export class ToolError extends Error {
  constructor(kind: string, message: string, options?: { details?: unknown; cause?: unknown });
  readonly kind: string;
  readonly details: unknown;
}

/** A call as a model makes it. */
export interface CallRequest {
  /** Its id; one is made up unless set. */
  id?: string;
  /** The name that the model calls the tool by. */
  name: string;
  /** The arguments: the text that the model wrote, or an object. */
  arguments?: string | object;
}

export interface CallOptions {
  /** Gets each ACP update as it comes. */
  onUpdate?: (update: Update) => void;
  /** Ends the call: as `timeout` if its reason is a `TimeoutError`, else as `cancelled`. */
  signal?: AbortSignal;
}

/** An ACP `tool_call` or `tool_call_update`, with the envelope in its `_meta`. */
export interface Update {
  sessionUpdate: 'tool_call' | 'tool_call_update';
  toolCallId: string;
  status: 'pending' | 'in_progress' | 'completed' | 'failed';
  _meta: Record<string, unknown>;
  [member: string]: unknown;
}

/** A change that made a call one of the tool. */
export interface Change {
  code: string;
  /** Where, as a JSON pointer into the arguments. */
  path: string;
  /** What was there, and what is there now, as far as that can be told. */
  found?: string;
  became?: string;
}

/** What is wrong with arguments, and what to do about it. */
export interface Problem {
  /** Where, as a JSON pointer. */
  path: string;
  /** The same for people and models. */
  field: string;
  category:
    | 'params_unknown_field' | 'params_missing_field' | 'params_unknown_variant' | 'params_type' | 'params_invalid' | 'params_constraint';
  expected?: string;
  found?: string;
  hint: string;
}

/** Why a call failed. Of kind `invalid_arguments`, `details.problems` are {@link Problem}s. */
export interface CallError {
  kind: string;
  message: string;
  details?: { problems?: Problem[]; code?: string; [member: string]: unknown } | null;
}

/** What came of a call. */
export interface Result {
  /** The output for programs, an object with the member `type`; `null` if there is none. */
  output: any;
  /** What the model is told: the output, or what went wrong. */
  prompt: string;
  is_error: boolean;
  error: CallError | null;
  /** The ACP updates of all steps. */
  updates: Update[];
  /** What was changed about the call to make it one of the tool. */
  changes: Change[];
}

/** A tool in a list without a profile. */
export interface ListedTool {
  key: string;
  name: string;
  description: string;
  schema: JsonSchema;
  kind: Kind;
  read_only: boolean;
}

/**
 * Whose form a list of tools has: a request to OpenAI's Responses API (strict), to Anthropic's Messages API, to Gemini's API, or the answer
 * to MCP's `tools/list`.
 */
export type Profile = 'openai' | 'anthropic' | 'gemini' | 'mcp';

/** Tools that models can call, by their names. */
export class Registry {
  constructor(tools?: Iterable<Tool>);
  /**
   * Takes a tool in. Models see it as `name`, and its parameters by the names in `parameters`, which has the tool's own as keys. A name that
   * is taken is an error.
   */
  add(tool: Tool, options?: { name?: string; parameters?: Record<string, string> }): this;
  list(): ListedTool[];
  list(profile: 'openai'): { type: 'function'; name: string; description: string; parameters: JsonSchema; strict: true }[];
  list(profile: 'anthropic'): { name: string; description: string; input_schema: { type: 'object'; [keyword: string]: unknown } }[];
  list(profile: 'gemini'): { name: string; description: string; parametersJsonSchema: JsonSchema }[];
  list(profile: 'mcp'): {
    name: string; description: string; inputSchema: { type: 'object'; [keyword: string]: unknown }; annotations: { readOnlyHint: boolean };
  }[];
  /** Calls a tool with what a model wrote. Whatever goes wrong in it is in the result. */
  call(request: CallRequest, options?: CallOptions): Promise<Result>;
  /** Gives its memory back at once. Without it, that happens when nothing refers to the registry any more. */
  free(): void;
}
