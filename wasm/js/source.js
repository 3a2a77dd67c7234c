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

/** Bytes go over in pieces of this size: the memory of what answers stays small, however many there are. */
const PIECE = 1 << 20;

/** Hands bytes on in pieces; an empty one if there are none. */
export function inPieces(bytes, push) {
  const shared = tagOf(bytes.buffer) === 'SharedArrayBuffer';
  let at = 0;
  do {
    const piece = bytes.subarray(at, at + PIECE);
    // Another thread may write to shared memory while it is read.
    push(shared ? piece.slice() : piece);
    at += PIECE;
  } while (at < bytes.length);
}

const encoder = new TextEncoder();

/** Makes bytes of texts and bytes that come in turn, in which a character may be cut in two. */
export class Intake {
  /** The first half of a character whose second half has not come yet. */
  #half = '';

  /** Hands on what there is by now. */
  take(input, push) {
    if (typeof input === 'string') {
      const text = this.#half + input;
      this.#half = halfOf(text);
      inPieces(encoder.encode(this.#half ? text.slice(0, -1) : text), push);
    } else {
      const bytes = bytesOf(input);
      this.end(push);
      inPieces(bytes, push);
    }
  }

  /** No second half comes any more. */
  end(push) {
    if (this.#half) push(encoder.encode(this.#half));
    this.#half = '';
  }
}

/** The first half of a character at the end of a text whose second half has not come yet, or nothing. */
export function halfOf(text) {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? text.slice(-1) : '';
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
