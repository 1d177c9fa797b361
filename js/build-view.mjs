// Bundles the element <levelscope-view> with the page's own stage, and the styles of both as text in it.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Styles become entries of the list that the element adopts: a bundle has no style sheet beside it. */
const stylesAsText = {
  name: 'styles-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      // The page's root is the element's.
      const own = source.replaceAll(/^:root\b/gm, '.view');
      const { code } = await transform(own, { loader: 'css', minify: true });
      const list = JSON.stringify(path('src/view/styles.ts'));
      return { contents: `import { styles } from ${list};\nstyles.push(${JSON.stringify(code)});` };
    });
  },
};

/** The page remembers the scale of its key axis in the browser; the storage of a program's page is its own. */
const ownScale = {
  name: 'own-scale',
  setup({ onResolve }) {
    onResolve({ filter: /\/keyScale$/ }, () => ({ path: path('src/view/keyScale.ts') }));
  },
};

export async function buildView(more = {}) {
  return build({
    ...more,
    absWorkingDir: path('.'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    outdir: 'dist',
    entryPoints: { view: 'src/view/index.ts' },
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: 'automatic',
    plugins: [stylesAsText, ownScale],
  });
}
