export * from './api.js'

/** What answers: the addon, or the package `toolprism` where no addon fits. */
export declare const backend: 'native' | 'wasm'
