// The service worker: keeps the page, so that it works without a network. VERSION and FILES are put before this by the build.

const CACHE = `playground-${VERSION}`;

addEventListener('install', (event) => {
  // What a browser has kept by itself may be older than the list of files. The pages that are open stay with the version that they came
  // from, which loads some of its files later: this one takes over when they are closed.
  const files = FILES.map((file) => new Request(file, { cache: 'no-cache' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)));
});

addEventListener('activate', (event) => {
  const others = (names) => names.filter((name) => name.startsWith('playground-') && name !== CACHE);
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(others(names).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  // The files do not depend on who asks, whatever their server says of that.
  const options = { ignoreSearch: request.mode === 'navigate', ignoreVary: true };
  const kept = caches.open(CACHE).then((cache) => cache.match(request, options));
  event.respondWith(kept.then((answer) => answer ?? fetch(request)));
});
