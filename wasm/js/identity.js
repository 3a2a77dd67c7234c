import { guarded, textOf } from './error.js';

/** The functions, by what answers: `native` gives its functions, and sees to it that they are ready. */
export function bind(native) {
  /** An answer about a value that is read in place, as an object. */
  const answer = (use) => {
    const text = guarded(use);
    return text === undefined || text === null ? null : JSON.parse(text);
  };

  return {
    parseMeta(meta) {
      const { parseMeta } = native();
      return answer(() => parseMeta(meta, false));
    },

    parseMetaStrict(meta) {
      const { parseMeta } = native();
      return answer(() => parseMeta(meta, true));
    },

    identify(call) {
      const type = typeof call;
      // Of other values that are no objects, the answer is an error of its own.
      if (type === 'undefined' || type === 'function' || type === 'symbol' || type === 'bigint') {
        throw new TypeError(`a call must be an object, not ${type}`);
      }
      const { identify } = native();
      return answer(() => identify(call));
    },

    stampMeta(meta, envelope) {
      const { stampMeta } = native();
      const texts = [textOf(meta ?? null, 'a `_meta` value'), textOf(envelope, 'an envelope')];
      return answer(() => stampMeta(...texts));
    },
  };
}
