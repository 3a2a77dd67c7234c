export default { base: './', worker: { format: 'es' }, logLevel: 'warn' };
