// The API, made from the addon's functions. What they have in common with the WebAssembly modules comes from the package
// `toolprism`, whose files lie here as well.
import { Fault, ToolprismError } from './error.js'
import { bind as bindFinalize } from './finalize.js'
import { bind as bindFinder } from './finder.js'
import { bind as bindIdentity } from './identity.js'
import { bind as bindLedger } from './ledger.js'
import { bind as bindPartial } from './partial.js'
import { bind as bindScan } from './scan.js'
import { bind as bindStamper } from './stamper.js'

const KEY = 'x.ai/tool'

export function bind(native) {
  const functions = {
    identify: call => look(() => {
      const { harness, namespace, version, name, title, acp_kind, acp_name, raw_input, meta } = call ?? {}
      const [input, own] = [plain(raw_input), plain(meta)]
      return native.identify(call, harness, namespace, version, name, title, acp_kind, acp_name, input, own)
    }),
    parseMeta: (meta, strict) => look(() => native.parseMeta(meta, plain(meta?.[KEY]), strict)),
    stampMeta: native.stampMeta,
  }
  return {
    ToolprismError,
    ...bindIdentity(() => functions),
    ...bindLedger(() => native),
    ...bindScan(() => native),
    ...bindFinder(() => native),
    ...bindStamper(() => native),
    ...bindPartial(() => native),
    ...bindFinalize(() => native),
  }
}

/** Has the addon look at a value in place. What is thrown on the way, but for the addon's own errors, the value has thrown. */
function look(use) {
  try {
    return use()
  } catch (error) {
    if (error?.code === 'toolprism') throw error
    if (error?.code === 'bigint') throw new Fault('type', error.message)
    throw new Fault('unreadable', 'a member could not be read: it threw an error', error)
  }
}

/** A value, or what its `toJSON` makes of it. */
function plain(value) {
  return typeof value?.toJSON === 'function' ? value.toJSON() : value
}
