// The one error of the package, and what makes it.

export class ToolprismError extends Error {
  constructor({ kind, message, line, column, offset, hint, cause }) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    for (const [name, value] of Object.entries({ line, column, offset, hint })) {
      if (value !== undefined) this[name] = value
    }
  }
}
ToolprismError.prototype.name = 'ToolprismError'

/** What was thrown on the way into the addon, as a user sees it. */
export function shown(error, kind, message) {
  if (error?.code === 'toolprism') return new ToolprismError(JSON.parse(error.message))
  if (error?.code === 'bigint') return new TypeError(error.message)
  return new ToolprismError({ kind, message, cause: error })
}

/** Calls the addon; errors come out as users see them. */
export function guarded(use) {
  try {
    return use()
  } catch (error) {
    throw shown(error, 'internal', `the addon failed: ${error?.message}`)
  }
}

/** A value as JSON text. */
export function textOf(value, what) {
  let text
  try {
    text = JSON.stringify(value)
  } catch (error) {
    // Circles and BigInts; anything else is from a getter, or from a `toJSON`.
    if (error instanceof TypeError) throw error
    if (error instanceof RangeError) throw shown(error, 'not_json', `${what} is nested too deeply`)
    throw shown(error, 'unreadable', `${what} could not be read: a member threw an error`)
  }
  if (text === undefined) throw new TypeError(`${what} must be an object`)
  return text
}
