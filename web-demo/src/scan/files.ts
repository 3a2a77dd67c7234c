// Where bytes come from: files that were picked, dropped or pasted.

/** A file to read, under the name to show it by. */
export interface Source {
  name: string;
  blob: Blob;
  /** Whether it was found in a folder: it may then be something else than a log, and that is no fault. */
  found?: boolean;
}

/** What logs are called. In a folder other files are passed over; a file that was named itself is read whatever it is called. */
const LOG = /\.(jsonl?|ndjson|log|txt)(\.gz)?$/i;

/** No more files of a folder are read than this. */
export const MOST_FILES = 5_000;

export interface Gathered {
  sources: Source[];
  /** How many files of folders were passed over. */
  passed: number;
}

/** The files of a picker: with folders, their paths are in `webkitRelativePath`. */
export function ofList(files: Iterable<File>): Gathered {
  const sources: Source[] = [];
  let passed = 0;
  for (const file of files) {
    const path = file.webkitRelativePath;
    if ((path && !LOG.test(file.name)) || sources.length === MOST_FILES) passed += 1;
    else sources.push({ name: path || file.name, blob: file, found: path !== '' });
  }
  return { sources: sorted(sources), passed };
}

/** The files that were dropped, and those in the folders that were. */
export async function ofDrop(transfer: DataTransfer): Promise<Gathered> {
  // The list is empty once the event is over, so the entries are taken at once.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return ofList(transfer.files);
  const gathered: Gathered = { sources: [], passed: 0 };
  for (const entry of entries) await gather(entry, gathered, true);
  return { ...gathered, sources: sorted(gathered.sources) };
}

async function gather(entry: FileSystemEntry, into: Gathered, named: boolean): Promise<void> {
  if (entry.isDirectory) {
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
      if (some.length === 0) return;
      for (const inner of some) await gather(inner, into, false);
    }
  }
  if ((!named && !LOG.test(entry.name)) || into.sources.length === MOST_FILES) {
    into.passed += 1;
    return;
  }
  const blob = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
  into.sources.push({ name: entry.fullPath.replace(/^\//, ''), blob, found: !named });
}

/** In the order of their names: a session then comes before its subagents, and what was copied from it after it. */
export function sorted(sources: Source[]): Source[] {
  return sources.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

async function isGzip(blob: Blob): Promise<boolean> {
  const [first, second] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
}

/** The bytes of a source, piece by piece; what is compressed by gzip is unpacked. */
export async function* pieces({ blob }: Source): AsyncGenerator<Uint8Array> {
  let stream: ReadableStream<Uint8Array> = blob.stream();
  if (await isGzip(blob)) {
    stream = stream.pipeThrough(new DecompressionStream('gzip') as unknown as TransformStream<Uint8Array, Uint8Array>);
  }
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** The bytes from each of these places on, at most so many each. */
export async function slices(source: Source, offsets: number[], most: number): Promise<Uint8Array[]> {
  if (!(await isGzip(source.blob))) {
    return Promise.all(offsets.map(async (offset) => new Uint8Array(await source.blob.slice(offset, offset + most).arrayBuffer())));
  }
  // An archive has no places: it is unpacked once, from its front.
  const found = offsets.map(() => ({ bytes: new Uint8Array(most), have: 0 }));
  let at = 0;
  try {
    for await (const piece of pieces(source)) {
      for (const [index, slice] of found.entries()) {
        const from = (offsets[index] ?? 0) + slice.have - at;
        if (from >= piece.length || slice.have === most) continue;
        const part = piece.subarray(Math.max(0, from), Math.max(0, from) + most - slice.have);
        slice.bytes.set(part, slice.have);
        slice.have += part.length;
      }
      at += piece.length;
      if (found.every(({ have }) => have === most)) break;
    }
  } catch {
    // It is cut off: what it holds up to there is there.
  }
  return found.map(({ bytes, have }) => bytes.subarray(0, have));
}
