// The original arguments and the rewritten ones, side by side in one text, with each change at its place.

import { diffWordsWithSpace } from 'diff';
import type { Change } from 'toolprism';

export type Piece =
  | { is: 'same' | 'gone' | 'new'; text: string }
  /** A change stands here; `number` is its place in the list. */
  | { is: 'mark'; change: Change; number: number };

/** Texts that differ in more words are not compared: that would take long, and nobody could read it. */
const MOST_EDITS = 2_000;

/** Where a byte of a text is, in UTF-16 units. */
function unitAt(bytes: Uint8Array, offset: number): number {
  return new TextDecoder().decode(bytes.subarray(0, offset)).length;
}

/** The pieces; undefined if the texts differ too much. */
export function compared(before: string, after: string, changes: Change[]): Piece[] | undefined {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS });
  if (!parts) return undefined;
  const bytes = new TextEncoder().encode(before);
  const marks = changes
    .map((change, at) => ({ change, number: at + 1, unit: unitAt(bytes, change.offset) }))
    .sort((a, b) => a.unit - b.unit || a.number - b.number);
  const pieces: Piece[] = [];
  let [at, next] = [0, 0];
  const putMarks = (until: number) => {
    for (let mark = marks[next]; mark && mark.unit <= until; mark = marks[next]) {
      pieces.push({ is: 'mark', change: mark.change, number: mark.number });
      next += 1;
    }
  };
  for (const { added, removed, value } of parts) {
    if (added) {
      putMarks(at);
      pieces.push({ is: 'new', text: value });
      continue;
    }
    const is = removed ? 'gone' : 'same';
    const end = at + value.length;
    let from = at;
    for (let mark = marks[next]; mark && mark.unit < end; mark = marks[next]) {
      if (mark.unit > from) pieces.push({ is, text: before.slice(from, mark.unit) });
      from = mark.unit;
      putMarks(from);
    }
    pieces.push({ is, text: before.slice(from, end) });
    at = end;
  }
  putMarks(Infinity);
  return pieces;
}
