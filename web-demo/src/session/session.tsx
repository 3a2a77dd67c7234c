import { useCallback, useEffect, useRef, useState } from 'react';
import { count, size } from '../names';
import { plain } from '../parts/json';
import { Notice } from '../parts/notice';
import { read, reader } from '../scan/client';
import { type Gathered, type Source, ofDrop, ofList } from '../scan/files';
import type { Overview, Progress } from '../scan/worker';
import { Log } from './log';
import { fetched } from './samples';
import { Start } from './start';

type State =
  | { is: 'empty' }
  | { is: 'reading'; progress?: Progress }
  | { is: 'open'; overview: Overview; passed: number };

export function Session({ shown }: { shown: boolean }) {
  const [state, setState] = useState<State>({ is: 'empty' });
  const [fault, setFault] = useState<{ title: string; text: string }>();
  const [dragged, setDragged] = useState(false);
  const sources = useRef<Source[]>([]);
  /** What there is to go back to, where nothing new can be shown. */
  const settled = useRef<State>({ is: 'empty' });
  /** Which opening is the last one that was asked for. */
  const turns = useRef(0);

  const settle = (next: State) => {
    settled.current = next;
    setState(next);
  };

  const open = useCallback(async (given: Gathered | Promise<Gathered>, add = false) => {
    turns.current += 1;
    const turn = turns.current;
    const fail = (title: string, text: string) => {
      setState(settled.current);
      setFault({ title, text });
    };
    setState({ is: 'reading' });
    setFault(undefined);
    try {
      const gathered = await given;
      // Something else was opened in the meantime.
      if (turn !== turns.current) return;
      const all = add ? [...sources.current, ...gathered.sources] : gathered.sources;
      if (all.length === 0) {
        const text = gathered.passed > 0
          ? `${count(gathered.passed, 'file')} looked at: none is called .jsonl, .json, .ndjson, .log or .txt. A file you choose itself is read whatever it is called.`
          : 'There was no file in what you dropped.';
        fail('No log found', text);
        return;
      }
      const overview = await read(all, (progress) => setState((now) => (now.is === 'reading' ? { is: 'reading', progress } : now)));
      if (!overview || turn !== turns.current) return;
      sources.current = all;
      settle({ is: 'open', overview, passed: gathered.passed });
    } catch (error) {
      if (turn === turns.current) fail('This could not be read', error instanceof Error ? error.message : String(error));
    }
  }, []);

  const close = () => {
    sources.current = [];
    void reader().close();
    settle({ is: 'empty' });
    setFault(undefined);
  };

  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDragged(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragged(false);
    };
    // Also beside the other views: a browser would leave the page for a file that is dropped there.
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      setDragged(false);
      // An editor has taken its text.
      if (event.defaultPrevented) return;
      event.preventDefault();
      void open(ofDrop(event.dataTransfer));
      if (!shown) location.hash = 'session';
    };
    const paste = (event: ClipboardEvent) => {
      if (!shown) return;
      const target = event.composedPath()[0];
      if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))) return;
      const data = event.clipboardData;
      const text = data?.getData('text/plain') ?? '';
      if (data && data.files.length > 0) void open(ofList(data.files));
      else if (text.trim() !== '') void open({ sources: [{ name: 'pasted text', blob: new Blob([text]) }], passed: 0 });
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    addEventListener('paste', paste);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
      removeEventListener('paste', paste);
    };
  }, [shown, open]);

  const sample = (id: string) => open(fetched(id).then((found) => ({ sources: found, passed: 0 })));

  const notice = fault && (
    <Notice kind="error" title={fault.title}>
      <p>{plain(fault.text)}</p>
    </Notice>
  );
  return (
    <>
      {state.is === 'empty' && (
        <Start onFiles={open} onSample={sample}>
          {notice}
        </Start>
      )}
      {state.is === 'reading' && <ReadingLog progress={state.progress} />}
      {state.is === 'open' && notice}
      {state.is === 'open' && <Log overview={state.overview} passed={state.passed} onFiles={open} onClose={close} />}
      {dragged && (
        <div className="drop-here" aria-hidden="true">
          <p>Drop it to read it</p>
        </div>
      )}
    </>
  );
}

function ReadingLog({ progress }: { progress?: Progress }) {
  const share = progress && progress.total > 0 ? progress.bytes / progress.total : undefined;
  return (
    <section className="reading" aria-busy="true">
      <h1>Reading</h1>
      <progress max={1} value={share} aria-label="Read so far" />
      <p className="soft">
        {progress
          ? `${size(progress.bytes)} of ${size(progress.total)}, ${count(progress.calls, 'call')}${progress.files > 1 ? `, file ${progress.done + 1} of ${progress.files}` : ''}`
          : 'Starting'}
      </p>
      <button type="button" onClick={() => void reader().stop()}>
        Stop, and show what is there
      </button>
    </section>
  );
}
