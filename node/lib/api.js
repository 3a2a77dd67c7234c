// The API, made from the addon's functions: JSON text comes out of them, and objects out of here.
import { classes } from './classes.js'
import { bytesOf, piecesOf } from './bytes.js'
import { ToolprismError, guarded, shown, textOf } from './error.js'

const KEY = 'x.ai/tool'

/** No more finalizers are kept than this. */
const MOST_KEPT = 8

export function bind(native) {
  const { CallLedger, Finalizer } = classes(native)

  /** One for each of the last few options, so that schemas are compiled once. */
  const kept = new Map()

  function parse(meta, strict) {
    const answer = look(() => native.parseMeta(meta, plain(meta?.[KEY]), strict))
    return answer === null ? null : JSON.parse(answer)
  }

  function readNow(source, options) {
    const [bytes, how] = [bytesOf(source), textOf(options, 'options')]
    return JSON.parse(guarded(() => native.readSession(bytes, how)))
  }

  async function readLater(pieces, options) {
    const ledger = new CallLedger(options)
    try {
      for await (const piece of pieces) ledger.push(piece)
      ledger.finish()
      return { calls: ledger.calls(), report: ledger.report() }
    } finally {
      ledger.free()
    }
  }

  return {
    CallLedger,
    Finalizer,
    ToolprismError,

    identify(call) {
      if (typeof call !== 'object') throw new TypeError(`a call must be an object, not ${typeof call}`)
      const answer = look(() => {
        const { harness, namespace, version, name, title, acp_kind, acp_name, raw_input, meta } = call ?? {}
        const [input, own] = [plain(raw_input), plain(meta)]
        return native.identify(call, harness, namespace, version, name, title, acp_kind, acp_name, input, own)
      })
      return JSON.parse(answer)
    },

    parseMeta: meta => parse(meta, false),

    parseMetaStrict: meta => parse(meta, true),

    stampMeta(meta, envelope) {
      if (typeof envelope !== 'object') throw new TypeError(`an envelope must be an object, not ${typeof envelope}`)
      let texts
      try {
        texts = [meta, envelope].map(value => JSON.stringify(value) ?? 'null')
      } catch (error) {
        throw failed(error, 'a `_meta` value')
      }
      return JSON.parse(guarded(() => native.stampMeta(...texts)))
    },

    readSession(source, options = {}) {
      const pieces = piecesOf(source)
      return pieces === undefined ? readNow(source, options) : readLater(pieces, options)
    },

    finalize(question, options = {}) {
      const key = textOf(options, 'options')
      let finalizer = kept.get(key)
      if (finalizer === undefined) {
        finalizer = new Finalizer(options)
        if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value)
        kept.set(key, finalizer)
      }
      return finalizer.finalize(question)
    },
  }
}

/** Has the addon look at a value in place. */
function look(use) {
  try {
    return use()
  } catch (error) {
    throw shown(error, 'unreadable', 'a member could not be read: it threw an error')
  }
}

/** A value, or what its `toJSON` makes of it. */
function plain(value) {
  return typeof value?.toJSON === 'function' ? value.toJSON() : value
}

/** Why a value has no JSON text: a circle, a BigInt or depth, or a member that threw. */
function failed(error, what) {
  if (error instanceof TypeError || error instanceof RangeError) {
    return new ToolprismError({ kind: 'not_json', message: `${what} has no form in JSON: ${error.message}`, cause: error })
  }
  return shown(error, 'unreadable', `${what} could not be read: a member threw an error`)
}
