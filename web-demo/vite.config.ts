import { readFile } from 'node:fs/promises';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * What the page may do. Scripts, styles and data are the page's own, WebAssembly is allowed, and no text can become HTML or the
 * address of a script: the one policy makes the addresses of the page's own workers.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types playground',
].join('; ');

/** The policy in the page itself, so that it holds wherever the built files are served from. */
function policy(): Plugin {
  return {
    name: 'policy',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' },
    ],
  };
}

/** `offline.js`, with the list of what it keeps: all that was built. */
function offline(): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const built = Object.keys(bundle).filter((file) => file !== 'index.html' && !file.endsWith('.woff'));
      const files = ['./', 'icon.svg', ...built];
      const source = await readFile(new URL('src/offline.js', import.meta.url), 'utf8');
      // A cache for each build: its name is made of the names of the files, which hold their digests.
      const { createHash } = await import('node:crypto');
      const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 16);
      this.emitFile({
        type: 'asset',
        fileName: 'offline.js',
        source: `const VERSION = ${JSON.stringify(version)};\nconst FILES = ${JSON.stringify(files)};\n${source}`,
      });
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [react(), policy(), offline()],
  build: {
    target: 'es2023',
    // The first that have `light-dark()`: what stands in for it does not know which colours were chosen.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
  // The package finds its modules beside its own files; bundled for development, it would look elsewhere.
  optimizeDeps: { exclude: ['toolprism'] },
  server: { fs: { allow: ['..'] } },
});
