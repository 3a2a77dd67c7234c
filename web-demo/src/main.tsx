import '@fontsource-variable/ibm-plex-sans/wght.css';
import '@fontsource/ibm-plex-mono/400.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/session.css';
import './styles/work.css';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { ownScript } from './trusted';

const root = document.getElementById('app');
if (root) createRoot(root).render(<App />);

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  // Without it the page works as well, but not offline; private windows refuse it.
  addEventListener('load', () => {
    const url = ownScript(new URL('offline.js', document.baseURI).href);
    navigator.serviceWorker.register(url).catch(() => undefined);
  });
}
