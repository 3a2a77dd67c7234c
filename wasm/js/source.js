// Where bytes and messages come from.

/** What an object is, also one of another realm. */
export function tagOf(object) {
  return Object.prototype.toString.call(object).slice('[object '.length, -1);
}

/** The bytes of a view or a buffer. */
export function bytesOf(input) {
  let bytes;
  if (ArrayBuffer.isView(input)) {
    bytes = new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  } else if (tagOf(input).endsWith('ArrayBuffer')) {
    bytes = new Uint8Array(input);
  } else {
    throw new TypeError('bytes must be a Uint8Array or an ArrayBuffer');
  }
  // A view of a buffer that was given away looks empty: this throws for it.
  return bytes.length === 0 ? new Uint8Array(bytes.buffer, 0, 0) : bytes;
}

/** The pieces of what has to be waited for; undefined for anything else. */
export function piecesOf(source) {
  if (typeof source !== 'object' || source === null) return undefined;
  if (typeof source.getReader === 'function') return ofStream(source);
  if (typeof source[Symbol.asyncIterator] === 'function') return source;
  return typeof source.stream === 'function' ? ofStream(source.stream()) : undefined;
}

/** Not every browser can iterate over streams itself. */
async function* ofStream(stream) {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      ended = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!ended) reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}
