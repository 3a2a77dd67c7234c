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

/** JSON on lines, or the text as it is. */
export function onLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
