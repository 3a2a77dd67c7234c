/** What the tool does. An open set: a kind that is not listed here counts as `other`. */
export type Kind =
  | 'read' | 'edit' | 'delete' | 'list_dir' | 'write' | 'move' | 'search' | 'lsp' | 'execute' | 'plan' | 'web_search'
  | 'web_fetch' | 'background_task_action' | 'wait_tasks_action' | 'kill_task_action' | 'list' | 'skill'
  | 'memory_search' | 'memory_get' | 'task' | 'active_agent_message' | 'enter_plan' | 'exit_plan' | 'ask_user'
  | 'image_gen' | 'video_gen' | 'image_to_video' | 'reference_to_video' | 'deploy_app' | 'init_or_update_app'
  | 'search_tool' | 'use_tool' | 'monitor' | 'goal_update' | 'workflow' | 'feedback' | 'other'
  | (string & {});

/** The toolset. The first six are the contract's; other harnesses have names of their own. */
export type Namespace =
  | 'grok_build' | 'grok_build_concise' | 'grok_build_hashline' | 'codex' | 'opencode' | 'mcp'
  | (string & {});

/** The arguments that mean the same in every harness. What is not known is absent. */
export interface CanonicalInput {
  /** The file, or the place searched. */
  path?: string;
  /** The first line read, from 1. */
  offset?: number;
  /** How many lines are read. */
  limit?: number;
  command?: string;
  /** What the model says the call is for. */
  description?: string;
  /** The directory that a command runs in. */
  cwd?: string;
  /** The directory listed. */
  directory?: string;
  pattern?: string;
}

/** The envelope: the value of `_meta["x.ai/tool"]`. Members that are not known are kept. */
export interface CanonicalToolMeta {
  version: number;
  /** The tool's name on the wire. For diagnostics: harnesses rename tools. */
  name: string;
  kind: Kind;
  namespace: Namespace;
  /** What to group and show calls by: the same for equivalent tools of all harnesses. */
  label: string;
  read_only: boolean;
  input?: CanonicalInput;
}

/** What is known of a call before it is identified; every member may be absent. */
export interface Call {
  harness?: string | null;
  namespace?: string | null;
  /** The version of the harness. */
  version?: string | null;
  /** The tool's name on the wire. */
  name?: string | null;
  title?: string | null;
  /** `kind` of an ACP tool call. */
  acp_kind?: string | null;
  /** `name` of an ACP tool call. */
  acp_name?: string | null;
  /** The arguments: an object, or text as it came. */
  raw_input?: unknown;
  /** The `_meta` value. */
  meta?: unknown;
}

/** An envelope, and what it was concluded from. */
export type Identity = CanonicalToolMeta & (
  | {
      /** `mcp_name`, or another evidence that names an MCP server. */
      why: Evidence;
      server: string;
      /** The tool's name as its server has it. */
      tool: string;
    }
  | { why: Evidence; server?: undefined; tool?: undefined }
);

/** Which evidence decided. */
export type Evidence =
  | 'envelope' | 'catalog' | 'mcp_name' | 'acp_name' | 'vendor_meta' | 'variant' | 'catalog_name' | 'shape' | 'acp_kind'
  | 'nothing';

/** The envelope in a `_meta` value; `null` where there is no valid one. */
export function parseMeta(meta: unknown): CanonicalToolMeta | null;

/** As `parseMeta`, but namespaces outside the contract's six make an envelope invalid. */
export function parseMetaStrict(meta: unknown): CanonicalToolMeta | null;

/** What a call is. Only the members that are needed are looked at, whatever else the arguments hold. */
export function identify(call: Call): Identity;

/** A `_meta` value with this envelope in it; all its other members stay. The one that was given is not changed. */
export function stampMeta(meta: object | null | undefined, envelope: CanonicalToolMeta): Record<string, unknown>;

export type Status =
  | 'pending' | 'in_progress' | 'completed' | 'failed' | 'rejected' | 'cancelled' | 'unresolved';

/** The format of a log. */
export type Format =
  | 'claude_session' | 'claude_stream' | 'grok_updates' | 'codex_rollout' | 'codex_exec' | 'opencode_export'
  | 'opencode_storage' | 'opencode_run' | 'gemini_session' | 'gemini_session_lines' | 'gemini_stream' | 'acp';

/** What was odd about a call. */
export type Flag =
  | 'orphan' | 'announced_again' | 'late_event' | 'envelope_conflict' | 'input_pending' | 'reused_id' | 'swept'
  | 'streaming' | 'incomplete_input' | 'broken_input';

/** One call of a log. */
export interface CallRecord {
  id: string;
  name: string;
  label: string;
  kind: Kind;
  namespace: Namespace;
  read_only: boolean;
  status: Status;
  input: CanonicalInput | null;
  harness: string | null;
  format: Format | null;
  session: string | null;
  parent_id: string | null;
  file: string | null;
  line: number;
  why: Evidence;
  /** The MCP server, and the tool's name as it has it. */
  server: string | null;
  tool: string | null;
  /** The subagent that made the call. */
  agent: string | null;
  title: string | null;
  version: string | null;
  exit_code: number | null;
  error: string | null;
  /** Times are UTC, as in RFC 3339. */
  started_at: string | null;
  ended_at: string | null;
  duration_ms: number | null;
  /** Where the call stands in the log, in bytes. */
  offset: number;
  /** Whether the tool is known. */
  known: boolean;
  flags: Flag[];
  /** The arguments as they came; with the option `raw_input` only. */
  raw_input?: unknown;
}

/** What calls can be grouped by. */
export type GroupBy = 'label' | 'name' | 'kind' | 'namespace' | 'harness' | 'server' | 'path';

interface BriefFigures extends Record<Status, number> {
  read_only: number;
  /** The share of the calls that are read-only, 0 to 1. */
  read_only_share: number;
  /** How many calls have a duration. */
  timed: number;
  duration_ms: number;
  longest_ms: number;
}

interface Figures extends BriefFigures {
  names: { name: string; calls: number }[];
  labels: { label: string; calls: number }[];
  /** How many files were named; the most frequent ones follow. */
  paths: number;
  top_paths: { path: string; calls: number }[];
}

interface GroupHead<By> {
  /** Stays the same as calls come in: a key for lists in a user interface. */
  key: string;
  by: By;
  value: string;
  calls: number;
}

/** Calls that share a value, wherever they stand. */
export interface Group<By = GroupBy> extends GroupHead<By>, Figures {}

interface RunHead {
  /** Stays the same as calls come in: a key for lists in a user interface. */
  key: string;
  by: GroupBy;
  value: string | null;
  calls: number;
  session: string | null;
  file: string | null;
  line: number | null;
  first_id: string | null;
  last_id: string | null;
  started_at: string | null;
  ended_at: string | null;
}

/** Neighbouring calls that share a value. */
export interface Run extends RunHead, Figures {}

/** Bytes of a log that could not be read. */
export interface Quarantined {
  line: number;
  offset: number;
  bytes: number;
  reason: 'not_json' | 'torn' | 'too_long' | 'not_an_object' | 'unknown_format';
  message: string;
}

/** What became of the bytes. */
export interface Report {
  format: Format | null;
  /** `null` until the end. */
  bytes: number | null;
  quarantined_bytes: number | null;
  quarantined: Quarantined[];
  /** How many more there are. */
  more_quarantined: number;
}

export interface ReadOptions {
  /** Checks every record from end to end. */
  strict?: boolean;
  /** Keeps the arguments as they came. */
  raw_input?: boolean;
}

/** Merges the events of a log or a live stream into calls. The format is found out from the bytes. */
export class CallLedger {
  constructor(options?: ReadOptions);
  /** Takes the next piece, of any size. */
  push(piece: Uint8Array | ArrayBuffer | string): this;
  /** Says that no more comes: a last line without an end is read now. */
  finish(): this;
  /** How many calls there are. */
  get size(): number;
  calls(): CallRecord[];
  /** The largest first; by `label` if nothing else is said. */
  groups(by?: GroupBy): Group[];
  /** In the order of the calls; by `label` if nothing else is said. */
  runs(by?: GroupBy): Run[];
  report(): Report;
  /** Gives its memory back at once; without it, that is left to the garbage collector. */
  free(): void;
}

/** A call of a scan. */
export interface ScanCall extends CallRecord {
  /** What it is about, for the place behind its label: a path, a command, a pattern. */
  subject: string | null;
}

/** Numbers of calls: their places in the list of all calls of a scan. */
export type CallNumbers = Uint32Array | readonly number[];

/** What calls must be to be selected. All that is said must fit; of a list, one of its values. */
export interface Query {
  /** `null` stands for calls that have none. */
  label?: TextQuery;
  name?: TextQuery;
  kind?: TextQuery;
  namespace?: TextQuery;
  harness?: TextQuery;
  server?: TextQuery;
  /** The canonical input's `path` or `directory`. */
  path?: TextQuery;
  session?: TextQuery;
  file?: TextQuery;
  agent?: TextQuery;
  why?: TextQuery;
  status?: Status | readonly Status[] | null;
  flag?: Flag | readonly Flag[] | null;
  read_only?: boolean | null;
  known?: boolean | null;
  /** Begun at this time or later: RFC 3339, or a day (`2026-11-30`). Calls without a time do not fit. */
  since?: string | null;
  /** Begun before this time. */
  until?: string | null;
  /**
   * Words, each of which is somewhere in the call's name, label, title, canonical input, error, id, session or file. Case
   * does not count, for ASCII letters.
   */
  text?: string | null;
}

type TextQuery = string | null | readonly (string | null)[];

/** What the calls of a scan can be grouped by; `all` puts them into one group. */
export type ScanGroupBy = GroupBy | 'session' | 'file' | 'status' | 'all';

/** Of which calls, and how much of it. */
export interface PageOptions {
  /** Of these calls only, in this order. */
  calls?: CallNumbers | null;
  /** From this place in the result on; `from` and `to` count as in `slice`, but from the front only. */
  from?: number | null;
  to?: number | null;
}

export interface GroupsOptions extends PageOptions {
  /** Into so many parts the time is divided for `activity`; 1,000 at most. */
  bins?: number | null;
}

/** How the calls of a group are spread over the time of all calls asked about. */
export interface Activity {
  /**
   * So many calls began in each part of that time; only with the option `bins`. A call without a time counts with the one
   * before it; where all times are the same, or there are none, the places of the calls are divided instead.
   */
  activity?: number[];
}

/** Where a run stands. */
export interface RunPlaces {
  /** The places of the first and the last call in the list of the calls asked about: numbers, if that is all calls. */
  first: number;
  last: number;
}

/** The figures of many calls. */
export interface Summary extends Figures {
  calls: number;
  sessions: number;
  /** How many files the calls stand in. */
  files: number;
  started_at: string | null;
  ended_at: string | null;
  /** How many calls are of tools that are not known. */
  unknown: number;
  /** The most frequent of these tools, at most 100. */
  unknown_tools: { name: string; harness: string | null; calls: number }[];
  harnesses: { harness: string | null; calls: number }[];
}

/** What became of the bytes of each file. */
export interface ScanReport {
  files: (Report & {
    file: string;
    calls: number;
    /** Why the file could not be read to its end. */
    error: string | null;
  })[];
  /** How many calls an earlier file held as well, and were removed. */
  copies: number;
}

/**
 * Reads many files into one list of calls. What one file copied from another is removed, subagents are linked to the calls that
 * started them. A call's number is its place in the list: as the files were begun, then as in the file.
 */
export class Scan {
  constructor(options?: ReadOptions);
  /** Begins a file; the one before it is finished. Its calls have this name as `file`. */
  begin(file: string): this;
  /** Takes the next piece of the file, of any size. */
  push(piece: Uint8Array | ArrayBuffer | string): this;
  /** Says why the file could not be read to its end. */
  fail(message: string): this;
  /**
   * Says that no more files come: copies are removed and subagents linked, so numbers may change. All the rest may be asked
   * before, too, of what is there by then.
   */
  finish(): this;
  get size(): number;
  /** The calls from one number to before another, as `slice` counts; all of them if nothing is said. */
  calls(from?: number, to?: number): ScanCall[];
  /** The calls with these numbers, in this order. */
  calls(numbers: CallNumbers): ScanCall[];
  /** The numbers of the calls that fit, in order. */
  select(query?: Query): Uint32Array;
  /** The largest first; by `label` if nothing else is said. `brief` leaves out names, labels and paths. */
  groups<By extends ScanGroupBy = 'label'>(by?: By, options?: GroupsOptions & { brief?: false | null }): (Group<By> & Activity)[];
  groups<By extends ScanGroupBy = 'label'>(by: By | undefined, options: GroupsOptions & { brief: boolean }): (GroupHead<By> & BriefFigures & Activity)[];
  /** In the order of the calls; by `label` if nothing else is said. No run reaches over the end of a session or file. */
  runs(by?: GroupBy, options?: PageOptions & { brief?: false | null }): (Run & RunPlaces)[];
  runs(by: GroupBy | undefined, options: PageOptions & { brief: boolean }): (RunHead & BriefFigures & RunPlaces)[];
  /** The place of each run's first call. So many runs there are, which can then be asked for by `from` and `to`. */
  runStarts(by?: GroupBy, options?: { calls?: CallNumbers | null }): Uint32Array;
  summary(options?: { calls?: CallNumbers | null }): Summary;
  report(): ScanReport;
  /** The calls as CSV, with a line of names; as `toolprism calls --format csv` writes them. */
  csv(from?: number, to?: number): string;
  csv(numbers: CallNumbers): string;
  /** The groups as CSV, with a line of names; as `toolprism groups --format csv` writes them. */
  groupsCsv(by?: ScanGroupBy, options?: { calls?: CallNumbers | null }): string;
  /** Gives its memory back at once; without it, that is left to the garbage collector. */
  free(): void;
}

/** What a call's log holds of it. */
export interface FoundCall {
  /** `null` if the call is not there. What a scan has learned from other files is not in it. */
  call: (CallRecord & {
    /** The arguments as the text that stands in the log: numbers are as they were written. */
    raw_input_text: string | null;
  }) | null;
  /** The records that tell of the call, in order. */
  places: {
    line: number;
    offset: number;
    /** `snapshot`: all that was known by then. `mirror`: a second account of what another record tells. */
    phase: 'started' | 'updated' | 'finished' | 'snapshot' | 'mirror';
  }[];
}

/** Finds a call again in the log that it was read from: its arguments as they came, and where the log tells of it. */
export class CallFinder {
  /** Takes what a `CallRecord` has. */
  constructor(call: Pick<CallRecord, 'id' | 'line' | 'offset'> & Partial<Pick<CallRecord, 'session' | 'agent' | 'file'>>);
  /** Takes the next piece of the log. All of it must be pushed. */
  push(piece: Uint8Array | ArrayBuffer | string): this;
  /** Says that no more comes. */
  finish(): FoundCall;
  /** Gives its memory back at once; without it, that is left to the garbage collector. */
  free(): void;
}

/** What a stamper has done. */
export interface Stamped {
  /** The rest of what is to be written. */
  bytes: Uint8Array;
  /** Only `acp` and `grok_updates` have a place for envelopes; a log of another format comes out as it is. */
  format: Format | null;
  /** How many messages got an envelope. */
  stamped: number;
  /** How many had one. */
  kept: number;
  /** How many have a `_meta` that is no object, and so were left alone. */
  untouched: number;
}

/** Writes a log anew, with an envelope on each message about a tool call, as `toolprism stamp` does. No other byte changes. */
export class Stamper {
  /**
   * With a stamper that the whole log was pushed to, and that is used up by this: each message then gets what the whole log tells
   * of its call. Without one it gets what is known by then.
   */
  constructor(first?: Stamper | null);
  /** Takes the next piece, cut anywhere, and gives what can be written by now. */
  push(piece: Uint8Array | ArrayBuffer | string): Uint8Array;
  /** Says that no more comes. */
  finish(): Stamped;
  /** Gives its memory back at once; without it, that is left to the garbage collector. */
  free(): void;
}

/** How to read arguments that stream. */
export interface PartialOptions {
  /**
   * Which text is read: `strict` JSON, which it is if nothing else is said; `lenient`, an object as models write it (with fences,
   * prose, trailing commas); or `text`, no JSON but one bare text, such as a patch.
   */
  mode?: 'strict' | 'lenient' | 'text' | null;
  /** What to keep of long strings, in bytes from their front (4096 at least) and their end; all of them if absent. */
  keep?: { head?: number | null; tail?: number | null } | null;
}

/** How far arguments are. */
export type PartialState =
  | {
      /** More may come; all is there; or the end came too early. */
      state: 'open' | 'complete' | 'incomplete';
      fault?: undefined;
      /** How many bytes came after `finish`. */
      late: number;
    }
  | {
      /** The text is not what it should be. What was visible stays. */
      state: 'broken';
      /** What is wrong, at which byte. */
      fault: { code: string; offset: number; message: string };
      late: number;
    };

/** Shows what is there of a call's arguments while they stream. Nothing that was shown is taken back. */
export class PartialInput {
  constructor(options?: PartialOptions);
  /** Takes the next piece of the text, cut anywhere, also inside of a character. */
  push(delta: string | Uint8Array | ArrayBuffer): this;
  /** Says that no more comes. What is pushed after that is only counted. */
  finish(): this;
  /**
   * What is visible, with what is open closed; `null` until anything is. It is a new value each time, made in time that grows
   * with it. Integers beyond 2^53 are rounded, as `JSON.parse` does; of a member named twice the last one counts.
   */
  visible(): unknown;
  /** Whether the arguments have come to their end. They must not run for that alone: see `finalize`. */
  get isComplete(): boolean;
  get state(): PartialState;
  /** What the call is, by these arguments: a `raw_input` of its own is not looked at. */
  identify(call: Call): PartialIdentity;
  /** Gives its memory back at once; without it, that is left to the garbage collector. */
  free(): void;
}

/** What a call is whose arguments stream. */
export type PartialIdentity = Identity & {
  /** The fields of `input` that may yet get longer, or that were cut off if no more comes. */
  growing: (keyof CanonicalInput)[];
};

export interface Session {
  calls: CallRecord[];
  report: Report;
}

/** What has to be waited for: a stream of bytes or texts, a `File` or another `Blob`. */
export type LaterBytes =
  | { getReader(): { read(): Promise<{ done: boolean; value?: any }>; cancel(): Promise<void>; releaseLock(): void } }
  | AsyncIterable<Uint8Array | string>
  | { stream(): unknown; readonly size: number };

/** Reads a whole log. */
export function readSession(log: Uint8Array | ArrayBuffer | string, options?: ReadOptions): Session;
export function readSession(log: LaterBytes, options?: ReadOptions): Promise<Session>;

/** A class of changes; each can be switched off. */
export type ChangeCode =
  | 'bom' | 'odd_whitespace' | 'closed_brackets' | 'mismatched_closer' | 'extra_closer' | 'missing_open_brace'
  | 'trailing_comma' | 'extra_comma' | 'missing_comma' | 'colon_variant' | 'comment' | 'single_quotes'
  | 'smart_quotes' | 'backtick_quotes' | 'unescaped_quote' | 'raw_control_char' | 'invalid_escape' | 'unquoted_key'
  | 'unquoted_string' | 'python_literal' | 'number_format' | 'duplicate_key' | 'code_fence' | 'surrounding_text'
  | 'special_token' | 'empty_placeholder' | 'duplicate_object' | 'name_prefix' | 'name_suffix' | 'name_case'
  | 'string_to_number' | 'string_to_bool' | 'string_to_null' | 'number_to_string' | 'bool_to_string' | 'enum_case'
  | 'whole_number' | 'word_to_bool' | 'number_to_bool' | 'null_to_false' | 'null_to_empty_list'
  | 'double_encoded' | 'escaped_json' | 'string_to_array' | 'string_to_object' | 'wrap_single' | 'unwrap_single'
  | 'single_item_array' | 'envelope' | 'raw_text_wrapped' | 'empty_args' | 'null_args' | 'key_renamed'
  | 'null_optional_dropped' | 'undefined_dropped' | 'additional_property_removed' | 'default_inserted'
  | 'const_inserted' | 'enum_inserted' | 'text_completed';

/** Why a call was judged as it was. */
export type Reason =
  | 'valid_pass_through' | 'syntax_repaired' | 'tool_name_normalized' | 'property_renamed' | 'default_inserted'
  | 'const_inserted' | 'enum_inserted' | 'additional_property_removed' | 'ambiguous_tool_name' | 'ambiguous_property'
  | 'unrepairable' | 'schema_invalid' | 'schema_unsupported' | 'args_too_large' | 'scalar_coercion_disabled'
  | 'canceled';

export interface Change {
  code: ChangeCode;
  /** How far it goes, from another spelling to a value that was added. */
  severity: 'lossless' | 'noise' | 'scalar' | 'shape' | 'inserted';
  /** A JSON pointer into the arguments. */
  path: string;
  offset: number;
}

/** What the model has to do otherwise. */
export interface Fault {
  code: string;
  path: string;
  offset: number;
  message: string;
  /** The change that would mend it, where that is switched off. */
  change?: ChangeCode;
}

export interface SchemaLimits {
  max_schema_bytes?: number;
  max_depth?: number;
  max_nodes?: number;
  max_properties?: number;
  max_ref_depth?: number;
}

interface QuestionLimits {
  /** Why the model stopped, as its provider says it. */
  stop?: string | null;
  max_args_bytes?: number | null;
  schema_limits?: SchemaLimits | null;
  no_exact_tool?: boolean | null;
  canceled?: boolean | null;
}

/** A tool: its name, or its name and the schema of its arguments. */
export type Tool = string | { name: string; parameters?: unknown; parameters_text?: string };

/** A completed call, to be judged. */
export type Question = QuestionLimits & (
  | { tool_name: string; /** As the model gave them. */ args: string; tools: Tool[]; input?: undefined }
  | { tool_name: string; /** As base64, if they are no text. */ args_b64: string; tools: Tool[]; input?: undefined }
  | { /** The arguments alone, with their schema. */ input: string; schema?: unknown; tool_name?: string | null }
);

interface Judged {
  tool_name: string;
  reason: Reason;
  changes: Change[];
}

/** What becomes of a call. Where `args` is `null`, the arguments are the original ones. */
export type Verdict =
  | (Judged & { outcome: 'pass'; args: null })
  | (Judged & { outcome: 'rewrite'; args: string; args_b64?: undefined })
  | (Judged & { outcome: 'rewrite'; args?: undefined; args_b64: string })
  | (Judged & { /** By the profile `guarded`. */ outcome: 'reject'; args: null; fault: Fault | null })
  | (Judged & { /** By the profile `reference`. */ outcome: 'unrepairable'; args: null });

export interface FinalizeOptions {
  profile?: 'guarded' | 'reference';
  /** Changes that are not made; for the profile `guarded`. */
  without?: ChangeCode[];
  max_args_bytes?: number;
}

/** Judges one completed call. */
export function finalize(question: Question, options?: FinalizeOptions): Verdict;

/** Judges completed calls. Schemas are compiled once and kept. */
export class Finalizer {
  constructor(options?: FinalizeOptions);
  finalize(question: Question): Verdict;
  /** Gives its memory back at once; without it, that is left to the garbage collector. */
  free(): void;
}

/** Why an input could not be read, or a call not be answered. */
export class ToolprismError extends Error {
  constructor(members: {
    kind: string; message: string; line?: number; column?: number; offset?: number; hint?: string; cause?: unknown;
  });
  readonly name: 'ToolprismError';
  /** A short stable name. */
  readonly kind: ErrorKind;
  readonly line?: number;
  readonly column?: number;
  readonly offset?: number;
  readonly hint?: string;
}

export type ErrorKind =
  | 'not_json' | 'not_an_object' | 'wrong_type' | 'missing_member' | 'unknown_value' | 'bad_envelope' | 'bad_meta'
  | 'finished' | 'freed' | 'not_begun' | 'out_of_range' | 'unreadable' | 'too_large' | 'busy' | 'not_ready' | 'not_loaded' | 'bad_module' | 'internal'
  | (string & {});
