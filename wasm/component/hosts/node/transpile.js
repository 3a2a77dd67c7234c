// Translates the component into a JavaScript module, in the folder `tools`: `node transpile.js COMPONENT`.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { transpileBytes } from "@bytecodealliance/jco-transpile";

const { files } = await transpileBytes(await readFile(process.argv[2]), { name: "tools", noComponentErrorWrapping: false });
for (const [name, content] of Object.entries(files)) {
  const file = path.join("tools", name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}
