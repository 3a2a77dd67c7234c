// Tools that are defined in JavaScript, by the addon or else by the WebAssembly package.
import * as contract from './lib/contract.js'
import { ToolprismError as OwnError } from './lib/error.js'
import { load } from './lib/load.js'

const own = native => ({ ...contract, ...contract.bind(() => native), ToolprismError: OwnError })

export const { defineTool, Output, Registry, ToolError, ToolprismError } = load(own, 'toolprism/contract').api
