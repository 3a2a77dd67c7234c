// Input as bytes.
import { types } from 'node:util'

/** A string as UTF-8, or bytes as they are; a TypeError for anything else. */
export function bytes(input) {
  if (typeof input === 'string') return Buffer.from(input)
  const view = ArrayBuffer.isView(input)
  if (!view && !types.isAnyArrayBuffer(input)) {
    throw new TypeError(`expected bytes (Uint8Array, ArrayBuffer) or a string, got ${named(input)}`)
  }
  const buffer = view ? input.buffer : input
  // Throws a TypeError if the buffer is detached.
  const all = new Uint8Array(buffer)
  const part = view ? all.subarray(input.byteOffset, input.byteOffset + input.byteLength) : all
  // Another thread may write to shared memory while it is read.
  return types.isSharedArrayBuffer(buffer) ? part.slice() : part
}

export function named(value) {
  return value === null ? 'null' : typeof value === 'object' ? (value.constructor?.name ?? 'an object') : typeof value
}
