import { brotliDecompressSync } from 'node:zlib';

/** The bytes of a module that is kept as text. */
export function unpacked(text) {
  return brotliDecompressSync(Buffer.from(text, 'base64'));
}
