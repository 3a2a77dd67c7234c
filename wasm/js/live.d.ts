import type { CallRecord, CanonicalInput, GroupBy, Status } from './api.js';

export { ToolprismError } from './api.js';

/** The protocols whose messages are understood. */
export type Wire =
  | 'acp' | 'openai_chat' | 'openai_responses' | 'anthropic_messages' | 'gemini' | 'ai_sdk' | 'ag_ui' | 'mcp';

export interface LiveOptions {
  wire: Wire;
  /** The agent program that makes the calls, such as `claude_code`, where the stream does not say so. */
  harness?: string;
  /** Its version. */
  version?: string;
  /** The session, where the messages do not name it. */
  session?: string;
  /** Keeps the arguments as they came. */
  raw_input?: boolean;
  /** How messages stand in bytes: one a line, unless set, or as server-sent events. */
  framing?: 'lines' | 'sse';
  /** The clock, in milliseconds since 1970: `Date.now` unless set. `null` for streams that are replayed. */
  now?: (() => number) | null;
}

/** A call as it stands. A call that changes is a new object; one that does not stays the same object. */
export interface LiveCall extends Told {
  /** Its place among the calls. */
  readonly at: number;
  /** The name of a line icon that suits it. */
  readonly icon: string;
  /** What it does, in the tense that fits: `Reading`, `Read`. */
  readonly verb: string;
  /** A key for translations of the verb, such as `tool.read.done`. */
  readonly verb_key: string;
  /** What it is about: a path, a command, a pattern. */
  readonly subject?: string;
  /** The fields of its input whose text still grows: what is there is the front of what will be. */
  readonly growing?: readonly (keyof CanonicalInput)[];
}

/** The members of a record; what is not known is absent. */
type Told = {
  readonly [K in keyof Omit<CallRecord, 'format' | 'file'> as null extends CallRecord[K] ? never : K]: CallRecord[K];
} & {
  readonly [K in keyof Omit<CallRecord, 'format' | 'file'> as null extends CallRecord[K] ? K : never]?: Exclude<CallRecord[K], null>;
};

interface Holder extends Readonly<Record<Status, number>> {
  /** Stays the same as calls come in: a key for lists in a user interface. */
  readonly key: string;
  readonly by: GroupBy;
  /** How many calls there are. */
  readonly count: number;
  /** The place of its first call. */
  readonly first: number;
  readonly read_only: number;
  readonly duration_ms: number;
  /** The calls, as they are when this is first looked at. */
  readonly calls: readonly LiveCall[];
  /** One line for them: `Read 3 files, 1 failed`. */
  readonly line: string;
}

/** Calls that share a value. A group that changes is a new object; one that does not stays the same object. */
export interface LiveGroup extends Holder {
  readonly value: string;
}

/** Neighbouring calls that share a value. */
export interface LiveRun extends Holder {
  readonly value: string | null;
}

/** A stream of messages, or of bytes that hold them. */
export type Messages = AsyncIterable<unknown> | ReadableStream<unknown>;

/** The tool calls of a live stream. */
export class LiveCalls {
  constructor(options: LiveOptions);
  /**
   * Takes one message: an object, of which only what is needed is looked at, or its JSON text; or the next bytes of the
   * stream, cut anywhere. What says nothing of a tool call is passed over.
   */
  push(message: object | string | Uint8Array | ArrayBuffer): this;
  /**
   * Takes all messages of a stream, and ends the turn with it: cancelled if the stream fails. A message that cannot be read is
   * passed over; listeners hear once of all that comes in at once.
   */
  read(stream: Messages): Promise<this>;
  /** Ends the turn where the stream does not say so: calls without a result will get none. */
  endTurn(how?: { cancelled?: boolean }): this;
  /** How many calls there are. */
  get size(): number;
  /** All calls, in the order in which they appeared. The same array until something changes. */
  get calls(): readonly LiveCall[];
  /** The call at a place; a negative one counts from the end. */
  at(place: number): LiveCall | undefined;
  /** By `label` if nothing else is said; in the order in which they appeared. The same array until something changes. */
  groups(by?: GroupBy): readonly LiveGroup[];
  /** As `groups`. */
  runs(by?: GroupBy): readonly LiveRun[];
  /** One line for all calls: `Read 3 files, ran 2 commands, 1 failed`. */
  get line(): string;
  /** One line for these of its calls. */
  lineOf(calls: Iterable<LiveCall>): string;
  /** How many messages of a stream could not be read, and were passed over. */
  get unreadable(): number;
  /** Calls `listener` after each change; what is returned ends that. */
  subscribe(listener: () => void): () => void;
  /** Gives its memory back at once; without it, that is left to the garbage collector. */
  free(): void;
}

/** How much of an output is kept; what is absent is as usual: 200 lines or 16 KiB from the start, 300 lines or 24 KiB from the end. */
export interface OutputBounds {
  head_lines?: number;
  head_bytes?: number;
  tail_lines?: number;
  tail_bytes?: number;
}

/** What is shown of an output, and how much there is. Bytes are those of UTF-8. */
export interface OutputState {
  readonly head: string;
  /** The end, as far as it is not in the head. */
  readonly tail: string;
  readonly bytes: number;
  readonly lines: number;
  readonly omitted_bytes: number;
  readonly omitted_lines: number;
  /** Whether it is no text: then nothing of it is shown. */
  readonly binary: boolean;
  /** How many content blocks were no text. */
  readonly other_blocks: number;
}

/** Start and end of a tool's output, in memory that does not grow with it. */
export class OutputPreview {
  constructor(bounds?: OutputBounds);
  /** Takes more of the output: text, or content blocks as agents send them (ACP's `content` or `rawOutput`, MCP's `content`). */
  append(output: string | object): this;
  /** Takes the whole output as it is now. Where it begins with what was there, only the rest counts as new. */
  replace(output: string | object): this;
  /** The same object until something changes. */
  get state(): OutputState;
  /** Gives its memory back at once; without it, that is left to the garbage collector. */
  free(): void;
}
