import react from '@vitejs/plugin-react';

export default {
  plugins: [react()],
  build: { target: 'es2022' },
  // The package finds its modules beside its own files; bundled for development, it would look elsewhere.
  optimizeDeps: { exclude: ['toolprism'] },
};
