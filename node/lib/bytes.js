// Logs as bytes.
import { types } from 'node:util'

/** A string as UTF-8, or bytes as they are; a TypeError for anything else. */
export function bytesOf(input) {
  if (typeof input === 'string') return Buffer.from(input)
  const view = ArrayBuffer.isView(input)
  if (!view && !types.isAnyArrayBuffer(input)) {
    throw new TypeError('a log must be bytes (a Uint8Array or an ArrayBuffer) or a string')
  }
  // Throws a TypeError if the buffer was given away.
  const all = new Uint8Array(view ? input.buffer : input)
  const part = view ? all.subarray(input.byteOffset, input.byteOffset + input.byteLength) : all
  // Another thread may write to shared memory while it is read.
  return types.isSharedArrayBuffer(all.buffer) ? part.slice() : part
}

/** The pieces of what has to be waited for; undefined for anything else. */
export function piecesOf(source) {
  if (typeof source !== 'object' || source === null) return undefined
  if (typeof source[Symbol.asyncIterator] === 'function') return source
  return typeof source.stream === 'function' ? source.stream() : undefined
}
