import { finalize, identify, init, initFinalizer } from 'toolprism/slim';

const bytes = async (url) => (await fetch(url)).arrayBuffer();
const ready = Promise.all([
  bytes(new URL('toolprism/wasm', import.meta.url)).then(init),
  bytes(new URL('toolprism/finalize.wasm', import.meta.url)).then(initFinalizer),
]);

onmessage = async ({ data }) => {
  await ready;
  postMessage({ label: identify(data).label, outcome: finalize({ input: '{"a": 1,}' }).outcome });
};
