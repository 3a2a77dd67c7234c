import { LiveCalls } from 'toolprism/live';

/** A stream of the ACP SDK, and the calls of what passes through it. */
export function tapped(stream, options = {}) {
  const live = options instanceof LiveCalls ? options : new LiveCalls({ wire: 'acp', ...options });
  return { stream: { readable: tap(live, stream.readable), writable: through(live, stream.writable) }, live };
}

/** The way in: when it ends, no call runs any longer. */
function tap(live, readable) {
  const reader = readable.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            live.endTurn();
            return controller.close();
          }
          seen(live, value);
          controller.enqueue(value);
        } catch (error) {
          live.endTurn({ cancelled: true });
          controller.error(error);
        }
      },
      cancel(reason) {
        live.endTurn({ cancelled: true });
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The way out. */
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
