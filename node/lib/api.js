// The API, made from the addon's functions: JSON text comes out of them, and objects out of here.
import { bytes, named } from './bytes.js'
import { ToolprismError, ours, text } from './error.js'

const none = {}

export function bind(native) {
  class CallLedger {
    #native
    /** The first half of a character that two strings share. */
    #half = ''

    constructor(options = {}) {
      this.#native = guard(() => new native.Ledger(text(options)))
    }

    push(input) {
      let rest = input
      if (typeof input === 'string') {
        rest = this.#half + input
        const end = rest.search(/[\ud800-\udbff]$/)
        this.#half = end < 0 ? '' : rest.slice(end)
        rest = end < 0 ? rest : rest.slice(0, end)
      }
      const next = bytes(rest)
      guard(() => this.#native.push(next))
    }

    finish() {
      if (this.#half) {
        const half = Buffer.from(this.#half)
        this.#half = ''
        guard(() => this.#native.push(half))
      }
      guard(() => this.#native.finish())
    }

    calls() {
      return JSON.parse(guard(() => this.#native.calls()))
    }

    groups(by = 'label') {
      return JSON.parse(guard(() => this.#native.groups(word(by))))
    }

    runs(by = 'label') {
      return JSON.parse(guard(() => this.#native.runs(word(by))))
    }

    report() {
      return JSON.parse(guard(() => this.#native.report()))
    }
  }

  class Finalizer {
    #native

    constructor(options = {}) {
      this.#native = guard(() => new native.Finalizer(text(options)))
    }

    finalize(question) {
      const asked = text(question)
      return JSON.parse(guard(() => this.#native.finalize(asked)))
    }
  }

  /** The finalizer of the last options: it keeps the schemas that it has compiled. */
  let kept = { options: undefined, finalizer: undefined }

  return {
    CallLedger,
    Finalizer,
    ToolprismError,

    identify(call) {
      let answer
      try {
        const { harness, namespace, version, name, title, acp_kind, acp_name, raw_input, meta } = call ?? none
        answer = native.identify(call, harness, namespace, version, name, title, acp_kind, acp_name, raw_input, meta)
      } catch (error) {
        throw ours(error)
      }
      return JSON.parse(answer)
    },

    parseMeta: meta => parse(meta, false),
    parseMetaStrict: meta => parse(meta, true),

    stampMeta(meta, envelope) {
      const [into, stamp] = [text(meta), text(envelope)]
      return JSON.parse(guard(() => native.stampMeta(into, stamp)))
    },

    async readSession(input, options = {}) {
      const source = input instanceof Blob ? input.stream() : input
      if (typeof source?.[Symbol.asyncIterator] !== 'function') {
        const [log, how] = [bytes(source), text(options)]
        return JSON.parse(guard(() => native.readSession(log, how)))
      }
      const ledger = new CallLedger(options)
      for await (const chunk of source) ledger.push(chunk)
      ledger.finish()
      return { calls: ledger.calls(), report: ledger.report() }
    },

    finalize(question, options = {}) {
      const key = text(options)
      if (kept.options !== key) kept = { options: key, finalizer: new Finalizer(options) }
      return kept.finalizer.finalize(question)
    },
  }

  function parse(meta, strict) {
    const answer = guard(() => native.parseMeta(meta, strict), 'unreadable')
    return answer === null ? null : JSON.parse(answer)
  }
}

/** Calls into the addon; what it throws becomes an error of ours. */
function guard(call, kind = 'internal') {
  try {
    return call()
  } catch (error) {
    throw error instanceof TypeError && kind === 'internal' ? error : ours(error, kind)
  }
}

function word(value) {
  if (typeof value !== 'string') throw new TypeError(`expected a string, got ${named(value)}`)
  return value
}
