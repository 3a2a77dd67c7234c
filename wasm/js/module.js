import { ToolprismError } from './error.js';

/** A module that is made ready once: at the first call where its bytes can be had at once, else as soon as they are there. */
export class Loaded {
  #source;
  #start;
  #init;

  /** `start` makes it ready; `init` is the name of what users call where nothing does so by itself. */
  constructor(start, init) {
    this.#start = start;
    this.#init = init;
  }

  /** `source` is a compiled module, bytes, or a function that gives one of them. */
  from(source) {
    this.#source ??= source;
  }

  /** Its functions: it is made ready, if it is not yet. */
  ready(functions) {
    if (this.#start === undefined) return functions;
    if (this.#source === undefined) {
      const message = `too early: await ${this.#init}(bytes or a compiled WebAssembly.Module) before the first call`;
      throw new ToolprismError({ kind: 'not_ready', message });
    }
    this.#start(typeof this.#source === 'function' ? this.#source() : this.#source);
    this.#start = this.#source = undefined;
    return functions;
  }
}

/** The compiled module at a URL. */
export async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new ToolprismError({ kind: 'not_loaded', message: `${url} gives status ${response.status}` });
  // Many servers do not know the type of these files.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm');
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** The compiled module of bytes, or of one. */
export async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (!(source instanceof ArrayBuffer || ArrayBuffer.isView(source))) {
    throw new TypeError('give the bytes of the module, or a compiled WebAssembly.Module');
  }
  try {
    return await WebAssembly.compile(source);
  } catch (error) {
    throw new ToolprismError({ kind: 'bad_module', message: `this is no WebAssembly: ${error.message}`, cause: error });
  }
}

/** A compiled module as one of this realm's: `next start` runs its edge runtime in another realm than it compiles in. */
export function adopted(module) {
  return module instanceof WebAssembly.Module ? module : Object.setPrototypeOf(module, WebAssembly.Module.prototype);
}
