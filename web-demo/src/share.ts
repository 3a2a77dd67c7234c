// The state of a view in the address, after the `#`: `try:<state>`. It never leaves the browser unless its user sends the link.

import { useEffect, useRef, useState } from 'react';

export const VIEWS = ['session', 'try', 'stream', 'finalize'] as const;
export type ViewName = (typeof VIEWS)[number];

/** An address longer than this is not accepted everywhere. */
const LONGEST = 32_000;
/** What a link may unfold to: a hostile one could hold much more. */
const MOST_TEXT = 4 << 20;

async function through(bytes: Uint8Array<ArrayBuffer>, by: GenericTransformStream, most: number): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(by as unknown as TransformStream<Uint8Array, Uint8Array>).getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError('the link holds too much');
    }
    pieces.push(value as Uint8Array<ArrayBuffer>);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** A value as a short text of letters, digits, `-` and `_`. */
export async function packed(state: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const small = await through(bytes, new CompressionStream('deflate-raw'), MOST_TEXT);
  let text = '';
  for (const byte of small) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The value of such a text; undefined if it is none. */
export async function unpacked(text: string): Promise<unknown> {
  try {
    const small = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const bytes = await through(small, new DecompressionStream('deflate-raw'), MOST_TEXT);
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Which view an address asks for, and its state. */
export function asked(hash: string): { view: ViewName; state: string } {
  const [name = '', state = ''] = hash.replace(/^#/, '').split(':', 2);
  const view = VIEWS.find((known) => known === name) ?? 'session';
  return { view, state };
}

/** The members of `found` that `initial` has, with the same types; the others as they are in `initial`. */
export function merged<S extends object>(initial: S, found: unknown): S {
  if (typeof found !== 'object' || found === null) return initial;
  const known = Object.entries(found).filter(([name, value]) => Object.hasOwn(initial, name) && typeof value === typeof initial[name as keyof S]);
  return { ...initial, ...Object.fromEntries(known) };
}

/** What was last in each view, to be there again when one comes back to it. */
const left = new Map<ViewName, object>();

/** State that is in the address: read from it once, then written to it. The third value says what is wrong with a link. */
export function useShared<S extends object>(view: ViewName, initial: S): [S, (change: Partial<S>) => void, string | undefined] {
  const [state, setState] = useState(() => (left.get(view) as S | undefined) ?? initial);
  const [fault, setFault] = useState<string>();
  const touched = useRef(left.has(view));

  useEffect(() => {
    const read = async () => {
      const { view: name, state: text } = asked(location.hash);
      if (name !== view) return;
      if (text === '') {
        // A plain address of this view gets its state again.
        setState((now) => ({ ...now }));
        return;
      }
      const found = await unpacked(text);
      setFault(found === undefined ? 'This link is damaged, so an example is shown instead.' : undefined);
      if (found === undefined) return;
      touched.current = true;
      setState(merged(initial, found));
    };
    void read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, [view, initial]);

  useEffect(() => {
    if (!touched.current) return;
    left.set(view, state);
    let current = true;
    const timer = setTimeout(async () => {
      const text = await packed(state);
      if (!current || asked(location.hash).view !== view) return;
      const fits = text.length <= LONGEST;
      setFault(fits ? undefined : 'This is too much for a link: share the texts themselves.');
      history.replaceState(null, '', fits ? `#${view}:${text}` : `#${view}`);
    }, 200);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [view, state]);

  const change = (some: Partial<S>) => {
    touched.current = true;
    setState((before) => ({ ...before, ...some }));
  };
  return [state, change, fault];
}
