import { type ReactNode, memo } from 'react';
import { count } from '../names';

/** A text longer than this is cut where it is shown: no one reads it, and it would stop the page. */
const MOST_SHOWN = 20_000;

const token = /("(?:[^"\\\n]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)/g;

function coloured(text: string): ReactNode[] {
  const out: ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(token)) {
    if (match.index > at) out.push(text.slice(at, match.index));
    const [whole, string, colon, word] = match;
    if (string && colon) out.push(<b key={match.index}>{string}</b>, colon);
    else out.push(<i key={match.index} className={string ? 'text' : word ? 'word' : 'number'}>{whole}</i>);
    at = match.index + whole.length;
  }
  out.push(text.slice(at));
  return out;
}

/**
 * Direction marks and other characters that are not seen but change what is: shown by their numbers. The last two ranges are tags and
 * variation selectors, in which whole sentences can be hidden; the selectors of the first plane belong to emoji.
 */
export const unseen =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu;

/** A text in which nothing is hidden. */
export function plain(text: string): string {
  return text.replace(unseen, (c) => [...Array(c.length).keys()].map((at) => `\\u${c.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''));
}

/** The front of a text, and how much follows it. */
export function frontOf(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… (${count(text.length - most, 'more character')})` : text;
}

/** JSON or another text, as text. */
export const Json = memo(function Json({ text, label, colour = true }: { text: string; label: string; colour?: boolean }) {
  const cut = text.length > MOST_SHOWN;
  const shown = plain(cut ? text.slice(0, MOST_SHOWN) : text);
  return (
    <div className="json">
      <pre tabIndex={0} role="region" aria-label={label}>
        {colour ? coloured(shown) : shown}
      </pre>
      {cut && <p className="soft">{(text.length - MOST_SHOWN).toLocaleString('en')} more characters are not shown.</p>}
    </div>
  );
});

/** A value as JSON on lines. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? '';
}
