/** Why an input could not be read, or a call not be answered. */
export class ToolprismError extends Error {
  constructor({ kind, message, line, column, offset, hint, cause }) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    for (const [name, value] of Object.entries({ line, column, offset, hint })) {
      if (value !== undefined) this[name] = value;
      // Safari and Bun give every error a line and a column of their own, in the script.
      else delete this[name];
    }
  }
}
ToolprismError.prototype.name = 'ToolprismError';

/** A fault of the host's value itself, found while it was read in place. The kind `type` becomes a TypeError. */
export class Fault {
  constructor(kind, message, cause) {
    Object.assign(this, { kind, message, cause });
  }
}

/** What a user sees of an error. The module throws the text of its members, the addon an error with that as its message. */
function shown(error) {
  const text = error?.code === 'toolprism' ? error.message : error;
  if (typeof text === 'string') return new ToolprismError(JSON.parse(text));
  if (error instanceof Fault) return error.kind === 'type' ? new TypeError(error.message) : new ToolprismError(error);
  const message = `the call came to a halt, perhaps for want of memory: ${error?.message ?? error}`;
  return new ToolprismError({ kind: 'internal', message, cause: error });
}

/** Calls what answers; errors come out as users see them. */
export function guarded(use) {
  try {
    return use();
  } catch (error) {
    throw shown(error);
  }
}

/** A value as JSON text. */
export function textOf(value, what) {
  let text;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    // Circles and BigInts; anything else is from a getter, or from a `toJSON`.
    if (error instanceof TypeError) throw error;
    if (error instanceof RangeError) throw new ToolprismError({ kind: 'not_json', message: `${what} is nested too deeply`, cause: error });
    throw new ToolprismError({ kind: 'unreadable', message: `${what} could not be read: a member threw an error`, cause: error });
  }
  if (text === undefined) throw new TypeError(`${what} must be an object`);
  return text;
}
