import { useEffect, useState } from 'react';

/** Copies a text, and says that it did. */
export function Copy({ text, label = 'Copy' }: { text: () => string | Promise<string>; label?: string }) {
  const [state, setState] = useState<'' | 'copied' | 'failed'>('');
  useEffect(() => {
    if (state === '') return;
    const timer = setTimeout(() => setState(''), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      setState('copied');
    } catch {
      setState('failed');
    }
  };
  return (
    <button type="button" className="small" onClick={copy}>
      <span aria-live="polite">{state === 'copied' ? 'Copied' : state === 'failed' ? 'Not allowed: select and copy by hand' : label}</span>
    </button>
  );
}

export function CopyLink() {
  // The address follows what is typed a moment later.
  return <Copy label="Copy link" text={() => new Promise((done) => setTimeout(() => done(location.href), 400))} />;
}
