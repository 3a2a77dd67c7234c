import { useEffect, useRef, useState } from 'react';
import { fileName } from '../names';
import { plain } from '../parts/json';
import { Notice } from '../parts/notice';
import { reader } from '../scan/client';
import type { ExportKind, FileReport } from '../scan/worker';

const kinds: [ExportKind, string][] = [
  ['calls.json', 'Calls as JSON'],
  ['calls.csv', 'Calls as CSV'],
  ['groups.json', 'Groups as JSON'],
  ['groups.csv', 'Groups as CSV'],
];

/** So many files are listed. */
const MOST_FILES = 20;

function save(blob: Blob, name: string) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** What can be saved: what the filters let through, and the files anew, with envelopes. */
export function Export({ files }: { files: FileReport[] }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [said, setSaid] = useState('');
  const [fault, setFault] = useState<string>();
  const close = () => {
    if (menu.current) menu.current.open = false;
    setFault(undefined);
  };
  useEffect(() => {
    const outside = (event: PointerEvent) => event.target instanceof Node && !menu.current?.contains(event.target) && close();
    addEventListener('pointerdown', outside);
    return () => removeEventListener('pointerdown', outside);
  }, []);
  const run = async (what: () => Promise<string>) => {
    close();
    setSaid('Writing…');
    try {
      setSaid(await what());
    } catch (error) {
      setSaid('');
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  const stampable = files.filter(({ format }) => format === 'acp' || format === 'grok_updates');
  const stamp = (file: string) =>
    run(async () => {
      const { blob, stamped } = await reader().stamped(file);
      save(blob, `stamped-${fileName(file).replace(/\.gz$/, '')}`);
      return `${stamped} envelopes written`;
    });
  return (
    <div
      className="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return;
        close();
        menu.current.querySelector('summary')?.focus();
      }}
    >
      <details ref={menu}>
        <summary className="button">Export</summary>
        <div>
          {kinds.map(([kind, title]) => (
            <button
              key={kind}
              type="button"
              onClick={() =>
                run(async () => {
                  save(await reader().written(kind), kind);
                  return `${kind} saved`;
                })
              }
            >
              {title}
            </button>
          ))}
          <p className="soft">{stampable.length > 0 ? 'The log, with envelopes' : 'Envelopes have a place only in ACP messages and the logs of Grok Build.'}</p>
          {stampable.slice(0, MOST_FILES).map(({ file }) => (
            <button key={file} type="button" onClick={() => stamp(file)}>
              {plain(file.slice(-60))}
            </button>
          ))}
        </div>
      </details>
      {/* Beside the menu, which is closed by then. */}
      <span className="hidden" role="status">
        {said}
      </span>
      {fault && (
        <div className="menu-fault">
          <Notice kind="error" title="It could not be written">
            <p>{plain(fault)}</p>
          </Notice>
        </div>
      )}
    </div>
  );
}
