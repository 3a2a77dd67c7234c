/** The text's bytes in pieces of this size. They are cut anywhere, also inside of a character, as networks do. */
export function cut(text: string, bytes: number): Uint8Array[] {
  const all = new TextEncoder().encode(text);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < all.length; at += bytes) pieces.push(all.subarray(at, at + bytes));
  return pieces;
}
