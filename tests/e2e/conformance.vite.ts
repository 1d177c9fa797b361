// Bundles the workers of conformance.spec.ts with the engine's package built for them (scripts/build-conformance.mjs).

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

export default defineConfig({
  root: at('web'),
  base: './',
  resolve: {
    alias: [
      {
        find: /^.*\/pkg\/levelscope_wasm/,
        replacement: at('target/conformance/pkg/levelscope_wasm'),
      },
    ],
  },
  build: {
    outDir: at('target/conformance/workers'),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: false,
    minify: false,
    rolldownOptions: {
      input: {
        suite: at('web/src/testing/conformance/suite.ts'),
        panic: at('web/src/testing/conformance/panic.ts'),
      },
      output: { entryFileNames: '[name].js' },
    },
  },
});
