import { LiveCalls } from 'toolprism/live';

/** A stream of the ACP SDK, and the calls of what passes through it. */
export function tapped(stream, options = {}) {
  const live = options instanceof LiveCalls ? options : new LiveCalls({ wire: 'acp', ...options });
  return { stream: { readable: stream.readable.pipeThrough(tap(live)), writable: through(live, stream.writable) }, live };
}

function tap(live) {
  return new TransformStream({
    transform(message, controller) {
      seen(live, message);
      controller.enqueue(message);
    },
  });
}

/** The way out has one writer, which hears at once when the other side is gone. */
function through(live, writable) {
  const writer = writable.getWriter();
  return new WritableStream({
    write(message) {
      seen(live, message);
      return writer.write(message);
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
}

/** A message that cannot be understood goes its way all the same. */
function seen(live, message) {
  try {
    live.push(message);
  } catch (error) {
    globalThis.reportError?.(error);
  }
}
