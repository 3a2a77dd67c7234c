// The one error of the package, and what makes it.

export class ToolprismError extends Error {
  constructor({ kind, message, ...place }, options) {
    super(message, options)
    this.kind = kind
    Object.assign(this, place)
  }
}
Object.defineProperty(ToolprismError.prototype, 'name', { value: 'ToolprismError', configurable: true, writable: true })

/** What a call into the addon has thrown, as an error of ours: the addon's own, or that of a getter in between. */
export function ours(error, kind = 'unreadable') {
  if (error?.code === 'toolprism') return new ToolprismError(JSON.parse(error.message))
  if (error?.code === 'bigint') return new TypeError(error.message)
  return new ToolprismError({ kind, message: `the value cannot be read: ${error?.message ?? String(error)}` }, { cause: error })
}

/** A value as JSON text; `undefined` as `null`. Cycles and BigInts are TypeErrors. */
export function text(value) {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (error instanceof TypeError) throw error
    throw ours(error)
  }
}
