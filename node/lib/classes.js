// The classes, made from the addon's.
import { bytesOf } from './bytes.js'
import { guarded, textOf } from './error.js'

export function classes(native) {
  class CallLedger {
    #ledger
    /** The first half of a character whose second half has not come yet. */
    #half = ''

    constructor(options = {}) {
      const text = textOf(options, 'options')
      this.#ledger = guarded(() => new native.Ledger(text))
    }

    push(input) {
      if (typeof input === 'string') {
        const text = this.#half + input
        const last = text.charCodeAt(text.length - 1)
        const half = last >= 0xd800 && last < 0xdc00
        this.#half = half ? text.slice(-1) : ''
        this.#push(bytesOf(half ? text.slice(0, -1) : text))
      } else {
        const bytes = bytesOf(input)
        this.#end()
        this.#push(bytes)
      }
      return this
    }

    #push(bytes) {
      guarded(() => this.#ledger.push(bytes))
    }

    #end() {
      if (this.#half) this.#push(bytesOf(this.#half))
      this.#half = ''
    }

    finish() {
      this.#end()
      guarded(() => this.#ledger.finish())
      return this
    }

    get size() {
      return guarded(() => this.#ledger.size())
    }

    calls() {
      return JSON.parse(guarded(() => this.#ledger.calls()))
    }

    groups(by = 'label') {
      const name = nameOf(by)
      return JSON.parse(guarded(() => this.#ledger.groups(name)))
    }

    runs(by = 'label') {
      const name = nameOf(by)
      return JSON.parse(guarded(() => this.#ledger.runs(name)))
    }

    report() {
      return JSON.parse(guarded(() => this.#ledger.report()))
    }

    free() {
      this.#ledger.free()
    }
  }

  class Finalizer {
    #finalizer

    constructor(options = {}) {
      const text = textOf(options, 'options')
      this.#finalizer = guarded(() => new native.Finalizer(text))
    }

    finalize(question) {
      const text = textOf(question, 'a call to judge')
      return JSON.parse(guarded(() => this.#finalizer.finalize(text)))
    }

    free() {
      this.#finalizer.free()
    }
  }

  if (Symbol.dispose) {
    for (const { prototype } of [CallLedger, Finalizer]) prototype[Symbol.dispose] = prototype.free
  }
  return { CallLedger, Finalizer }
}

function nameOf(by) {
  if (typeof by !== 'string') throw new TypeError('calls are grouped by the name of a member, such as "label"')
  return by
}
