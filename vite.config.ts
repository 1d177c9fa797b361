import { readdirSync, readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { fingerprint } from './scripts/lib.mjs';

/** Tests that replace modules: a list by hand would miss the next one, which then fails by the order of the files. */
const MOCKING = readdirSync('web/src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => `src/${name}`)
  .filter((name) => readFileSync(`web/${name}`, 'utf8').includes('vi.mock('));

// The page is plain static files: every address is relative (`base`), and nothing is inlined, so a strict
// Content-Security-Policy (see index.html) holds under any path of any host.
export default defineConfig({
  root: 'web',
  base: './',
  plugins: [react()],
  // Page and workers compare it: they are of one build, or the page asks to be loaded again. The modules lie in `web`.
  define: { LEVELSCOPE_BUILD: JSON.stringify(fingerprint(['web', 'js/src/origin'])) },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    // A sheet that did not come would not be asked for again, and a part that comes later would have no styles.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
  worker: { format: 'es' },
  server: { port: 5173, strictPort: false },
  test: {
    // A page is made for tests of components, and where a file asks for one in its first line. Files share the modules that
    // they import, which halves the time of all; those that put others in their place have their own.
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          environment: 'node',
          include: ['src/**/*.test.ts'],
          exclude: MOCKING,
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          environment: 'jsdom',
          include: ['src/**/*.test.tsx'],
          exclude: MOCKING,
          setupFiles: ['./vitest.setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'mocked',
          environment: 'node',
          include: MOCKING,
          setupFiles: ['./vitest.setup.ts'],
          isolate: true,
        },
      },
    ],
    isolate: false,
    restoreMocks: true,
    // The usual number leaves one core to others, and here are often only two.
    maxWorkers: '100%',
    // Against tests that hang, not against slow machines.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
