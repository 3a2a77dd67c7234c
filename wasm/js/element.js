// `<tool-calls>`: the calls of a live stream as a list. It draws nothing anew that has not changed, and leaves it to the page
// whether to show it at all.
import { icon } from './element-icons.js';
import { styles } from './element-styles.js';

/** Without a page (when a server renders) there are no elements; importing does no harm. */
const Base = globalThis.HTMLElement ?? class {};

/** What calls can be grouped by; any other value counts as none. */
const WAYS = ['label', 'name', 'kind', 'namespace', 'harness', 'server', 'path'];

/** A list is drawn at most once a frame. */
const soon = globalThis.requestAnimationFrame ?? ((draw) => setTimeout(draw, 16));

export class ToolCallsElement extends Base {
  static observedAttributes = ['by', 'fold'];

  #root;
  #list;
  #said;
  #source;
  #leave;
  #due = false;
  /** What is drawn, by key: runs, and the rows of calls by their places. */
  #runs = new Map();
  #rows = new Map();

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: 'open' });
    this.#root.append(style(), (this.#list = part('ol', 'list')), (this.#said = part('p', 'said')));
    this.#list.setAttribute('role', 'list');
    // What a screen reader hears of: one line, when a call has ended.
    this.#said.setAttribute('role', 'status');
  }

  get source() {
    return this.#source;
  }

  /** A `LiveCalls`, or what `useToolCalls` gives. */
  set source(source) {
    const live = source?.live ?? source ?? undefined;
    if (live !== undefined && typeof live.subscribe !== 'function') {
      throw new TypeError('the source of <tool-calls> must be a LiveCalls, or what useToolCalls gives');
    }
    if (live === this.#source) return;
    this.#leave?.();
    this.#source = live;
    this.#list.replaceChildren();
    this.#runs.clear();
    this.#rows.clear();
    this.#said.textContent = '';
    if (this.isConnected) this.#follow();
  }

  connectedCallback() {
    // A property that was set before this class was known lies on the element itself.
    if (Object.hasOwn(this, 'source')) {
      const { source } = this;
      delete this.source;
      this.source = source;
    }
    this.#follow();
  }

  disconnectedCallback() {
    this.#leave?.();
    this.#leave = undefined;
  }

  attributeChangedCallback() {
    this.#runs.clear();
    this.#later();
  }

  #follow() {
    this.#leave?.();
    this.#leave = this.#source?.subscribe(() => this.#later());
    this.#draw();
  }

  #later() {
    if (this.#due || !this.isConnected) return;
    this.#due = true;
    soon(() => {
      this.#due = false;
      if (this.isConnected) this.#draw();
    });
  }

  #draw() {
    const live = this.#source;
    if (live === undefined) return;
    const by = this.getAttribute('by');
    const fold = Number(this.getAttribute('fold') ?? 2);
    const runs = by === 'all' ? whole(live) : live.runs(WAYS.includes(by) ? by : 'label');
    const drawn = new Map();
    runs.forEach((run, place) => {
      const known = this.#runs.get(run.key);
      const item = known?.run === run && known.fold === fold ? known : this.#run(run, known, fold);
      drawn.set(run.key, item);
      if (this.#list.children[place] !== item.element) this.#list.insertBefore(item.element, this.#list.children[place] ?? null);
    });
    while (this.#list.children.length > runs.length) this.#list.lastChild.remove();
    this.#runs = drawn;
    this.#say(live);
  }

  /** A run as it stands, in the element that it has had, if any: what a user has opened stays open. */
  #run(run, known, fold) {
    const folded = run.count >= fold;
    const kept = known?.folded === folded ? known : undefined;
    const element = kept?.element ?? part('li', 'run');
    const rows = run.calls.map((call) => this.#row(call));
    const list = kept?.list ?? part('ol', 'calls');
    const summary = kept?.summary ?? part('summary', 'summary');
    if (kept === undefined) {
      list.setAttribute('role', 'list');
      const details = part('details', 'fold');
      if (folded) details.append(summary, list);
      element.replaceChildren(folded ? details : list);
    }
    place(list, rows);
    summary.replaceChildren(icon(run.calls[0].icon), text('span', 'line', run.line), ...duration(run.duration_ms));
    summary.dataset.state = stateOf(run);
    return { run, fold, folded, element, summary, list };
  }

  #row(call) {
    const known = this.#rows.get(call.at);
    if (known?.call === call) return known.row;
    const row = known?.row ?? part('li', 'call');
    row.dataset.state = call.status;
    row.dataset.kind = call.kind;
    const verb = text('span', 'verb', call.verb);
    const subject = call.subject === undefined ? [] : [text(call.kind === 'execute' ? 'code' : 'span', 'subject', call.subject)];
    if (subject.length > 0) subject[0].title = call.subject;
    const words = WORDS[call.status];
    const state = words === undefined ? [] : [text('span', 'state', words)];
    row.replaceChildren(icon(call.icon), verb, ' ', ...subject, ...state, ...duration(call.duration_ms));
    if (call.error !== undefined) {
      const error = text('p', 'error', call.error);
      error.title = call.error;
      row.append(error);
    }
    this.#rows.set(call.at, { call, row });
    return row;
  }

  #say(live) {
    const ended = live.groups().every((group) => group.pending + group.in_progress === 0);
    const line = ended ? live.line : '';
    if (line !== '' && this.#said.textContent !== line) this.#said.textContent = line;
  }
}

/** All calls as if they were one run. */
function whole(live) {
  const sum = (member) => live.groups().reduce((sum, group) => sum + group[member], 0);
  const sums = Object.fromEntries(['pending', 'in_progress', 'failed', 'duration_ms'].map((member) => [member, sum(member)]));
  return live.size === 0 ? [] : [{ ...sums, key: 'all', count: live.size, calls: live.calls, line: live.line }];
}

/** What is said of calls that did not simply end well; words, so that colour is not all that tells. */
const WORDS = {
  pending: 'waiting',
  in_progress: 'running',
  failed: 'failed',
  rejected: 'rejected',
  cancelled: 'cancelled',
  unresolved: 'no result',
};

function stateOf(run) {
  if (run.failed > 0) return 'failed';
  return run.pending + run.in_progress > 0 ? 'in_progress' : 'completed';
}

function part(tag, name) {
  const element = document.createElement(tag);
  element.setAttribute('part', name);
  return element;
}

/** Text is always put in as text: what a call holds is not to be trusted. */
function text(tag, name, content) {
  const element = part(tag, name);
  element.textContent = content;
  if (name !== 'line') element.dir = 'auto';
  return element;
}

function duration(ms) {
  if (ms === undefined || ms === 0) return [];
  const time = text('time', 'duration', ms < 1000 ? `${ms} ms` : ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`);
  time.dateTime = `PT${ms / 1000}S`;
  return [time];
}

/** Puts these children into an element, and moves none that is in its place. */
function place(element, children) {
  children.forEach((child, at) => {
    if (element.children[at] !== child) element.insertBefore(child, element.children[at] ?? null);
  });
  while (element.children.length > children.length) element.lastChild.remove();
}

function style() {
  const element = document.createElement('style');
  element.textContent = styles;
  return element;
}

if (globalThis.customElements !== undefined && customElements.get('tool-calls') === undefined) {
  customElements.define('tool-calls', ToolCallsElement);
}
