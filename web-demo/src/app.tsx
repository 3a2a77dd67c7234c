import { Component, type ReactNode, Suspense, lazy, useEffect, useState } from 'react';
import { asked, type ViewName } from './share';
import { Session } from './session/session';
import { ThemeButton } from './parts/theme';
import { Notice } from './parts/notice';

const views: Record<ViewName, { title: string; hint: string }> = {
  session: { title: 'Session', hint: 'What an agent did' },
  try: { title: 'Try a call', hint: 'What one call is' },
  stream: { title: 'Stream', hint: 'What shows while arguments stream' },
  finalize: { title: 'Finalize', hint: 'Whether a call may run' },
};

const Try = lazy(() => import('./try/try'));
const Stream = lazy(() => import('./stream/stream'));
const Finalize = lazy(() => import('./finalize/finalize'));

export function App() {
  const [view, setView] = useState(asked(location.hash).view);
  useEffect(() => {
    const read = () => setView(asked(location.hash).view);
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  useEffect(() => {
    document.title = `${views[view].title} – Toolprism playground`;
  }, [view]);

  return (
    <>
      <a className="skip" href="#content" onClick={(event) => {
        event.preventDefault();
        document.getElementById('content')?.focus();
      }}>
        Skip to the content
      </a>
      <header className="top">
        <a className="brand" href="#session">
          <img src="./icon.svg" alt="" width="24" height="24" />
          <span>Toolprism</span>
        </a>
        <nav aria-label="Views">
          {Object.entries(views).map(([name, { title, hint }]) => (
            <a key={name} href={`#${name}`} title={hint} aria-current={name === view ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <ThemeButton />
      </header>
      <main id="content" tabIndex={-1}>
        {/* A session that was read stays while the other views are looked at. */}
        <div hidden={view !== 'session'}>
          <Guard>
            <Session shown={view === 'session'} />
          </Guard>
        </div>
        {view !== 'session' && (
          <Guard key={view}>
            <Suspense fallback={<p className="loading">Loading…</p>}>
              {view === 'try' && <Try />}
              {view === 'stream' && <Stream />}
              {view === 'finalize' && <Finalize />}
            </Suspense>
          </Guard>
        )}
      </main>
      <footer className="foot">
        Everything stays in this page: no upload, no cookies, and it works offline once it has been opened.
      </footer>
    </>
  );
}

/** Shows what went wrong in a view; the others go on. */
class Guard extends Component<{ children: ReactNode }, { error?: unknown }> {
  state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const text = error instanceof Error ? error.message : String(error);
    return (
      <Notice kind="error" title="This view has stopped">
        <p>{text}</p>
        <button type="button" onClick={() => this.setState({ error: undefined })}>
          Start it again
        </button>
      </Notice>
    );
  }
}
