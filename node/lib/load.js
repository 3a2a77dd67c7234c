// Finds what answers on this machine.
import { createRequire } from 'node:module'
import { platform } from './platform.js'

const require = createRequire(import.meta.url)

/** What `bind` makes of the addon, or else what the WebAssembly package has as `standIn`. */
export function load(bind, standIn) {
  const name = `@toolprism/node-${platform()}`
  const tried = []
  for (const [backend, id, use] of [['native', name, bind], ['wasm', standIn, api => api]]) {
    if (process.env.TOOLPRISM_BACKEND && process.env.TOOLPRISM_BACKEND !== backend) continue
    try {
      return { backend, api: use(require(id)) }
    } catch (error) {
      tried.push(`${id}: ${String(error?.message ?? error).split('\n', 1)[0]}`)
    }
  }
  throw new Error(
    `@toolprism/node has no binary that works here, and the package "toolprism" that would stand in for it cannot be ` +
      `loaded. Install either of them: npm install ${name}, or npm install toolprism\n  ${tried.join('\n  ')}`,
  )
}
