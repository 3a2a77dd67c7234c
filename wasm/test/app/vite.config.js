export default {
  base: './',
  worker: { format: 'es' },
  logLevel: 'warn',
  build: { rolldownOptions: { input: ['index.html', 'small.html'] } },
};
