/** The JSON value or line at the front of a text, and whether its end is there. */
export function recordAtFront(text: string): { text: string; whole: boolean } {
  const line = text.indexOf('\n');
  if (!text.startsWith('{') && !text.startsWith('[')) return line < 0 ? { text, whole: false } : { text: text.slice(0, line), whole: true };
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at];
    if (c === '"') {
      at = endOfString(text, at);
    } else if (c === '{' || c === '[') {
      depth += 1;
    } else if (c === '}' || c === ']') {
      depth -= 1;
      if (depth === 0) return { text: text.slice(0, at + 1), whole: true };
    }
  }
  return { text, whole: false };
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** Longer texts are not put on lines: no more than their front is shown. */
const LONGEST = 1 << 20;
/** Nor are deeper ones: they would be mostly spaces. */
const DEEPEST = 100;

/**
 * JSON on lines, or the text as it is. Only space is changed, and letters written as numbers: a value that is parsed and written again
 * would have rounded numbers, one of two members of a name, and members that are called by numbers in another order.
 */
export function onLines(text: string): string {
  if (text.length > LONGEST || !isJson(text)) return text;
  const parts: string[] = [];
  let depth = 0;
  const breakLine = () => parts.push('\n', '  '.repeat(depth));
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at] ?? '';
    if (c === '"') {
      const end = endOfString(text, at);
      parts.push(readable(text.slice(at, end + 1)));
      at = end;
    } else if (c === '{' || c === '[') {
      depth += 1;
      if (depth > DEEPEST) return text;
      parts.push(c);
      let next = at + 1;
      while (isSpace(text[next] ?? '')) next += 1;
      if (text[next] === '}' || text[next] === ']') {
        parts.push(text[next] ?? '');
        depth -= 1;
        at = next;
      } else {
        breakLine();
      }
    } else if (c === '}' || c === ']') {
      depth -= 1;
      breakLine();
      parts.push(c);
    } else if (c === ',') {
      parts.push(c);
      breakLine();
    } else if (c === ':') {
      parts.push(': ');
    } else if (!isSpace(c)) {
      parts.push(c);
    }
  }
  return parts.join('');
}

function isSpace(c: string): boolean {
  return c === ' ' || c === '\n' || c === '\r' || c === '\t';
}

/** A string of JSON with its letters as letters, where some are written as numbers. */
function readable(string: string): string {
  return string.includes('\\u') ? JSON.stringify(JSON.parse(string)) : string;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
