// `node text.mjs MODULE FILE`: a module of WebAssembly as JavaScript that holds it as text, for hosts that read no files.
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const [module, file] = process.argv.slice(2);
const bytes = readFileSync(module);
const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
writeFileSync(file, `export default '${brotliCompressSync(bytes, { params }).toString('base64')}';\n`);
