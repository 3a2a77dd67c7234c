import type { LiveCalls } from './live.js';

/**
 * `<tool-calls>`: the calls of a live stream as a list, runs of them folded. Registered by the import.
 *
 * Attributes: `by`, what neighbouring calls must share to be a run (a `GroupBy`, or `all` for one run of all calls; `label` unless set), and `fold`, from how many
 * calls on a run is folded (2 unless set). Parts for CSS: `list`, `run`, `fold`, `summary`, `line`, `calls`, `call`, `icon`,
 * `verb`, `subject`, `state`, `duration`, `error`. Variables: `--tool-calls-muted`, `-faint`, `-danger`, `-accent`, `-mono`,
 * `-gap`, `-radius`.
 */
export class ToolCallsElement extends HTMLElement {
  /** The stream whose calls are shown; what `useToolCalls` gives is accepted too. */
  get source(): LiveCalls | undefined;
  set source(source: LiveCalls | { readonly live: LiveCalls } | null | undefined);
}

declare global {
  interface HTMLElementTagNameMap {
    'tool-calls': ToolCallsElement;
  }
}
