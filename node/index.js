// The addon where a binary fits this machine, else the WebAssembly package: the same functions either way.
import { bind } from './lib/api.js'
import { load } from './lib/load.js'

const { backend, api } = load(bind, 'toolprism')

export { backend }
export const {
  CallFinder,
  CallLedger,
  Finalizer,
  PartialInput,
  Scan,
  Stamper,
  ToolprismError,
  finalize,
  identify,
  parseMeta,
  parseMetaStrict,
  readSession,
  stampMeta,
} = api
