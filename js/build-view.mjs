// Bundles the element <levelscope-view> with the page's own stage, and the styles of both as text in it.

import { readdir, readFile, writeFile } from 'node:fs/promises';
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

/** Of the glossary the element has the terms that the stage names. */
const ownTerms = {
  name: 'own-terms',
  setup({ onLoad }) {
    onLoad({ filter: /\/terms\.generated\.ts$/ }, async ({ path: file }) => {
      const stage = path('../web/src/views/Stage/');
      const names = (await readdir(stage, { recursive: true })).filter((name) =>
        /\.tsx?$/.test(name),
      );
      const sources = await Promise.all(names.map((name) => readFile(stage + name, 'utf8')));
      const used = new Set(sources.flatMap((text) => text.match(/(?<=\bTERMS\.)\w+/g) ?? []));
      const terms = await readFile(file, 'utf8');
      const own = (line, term) => (used.has(term) ? line : '');
      return { contents: terms.replace(/^ {2}'([^']+)': .*\n/gm, own), loader: 'ts' };
    });
  },
};

/** The element's imports from React, by name. */
const REACT = ['react', 'react/jsx-runtime', 'react-dom/client'];

const common = {
  absWorkingDir: path('.'),
  bundle: true,
  target: 'es2022',
  platform: 'browser',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
};

/** The element without React: `define` is given a function that returns React's parts by their names. */
async function buildCore() {
  const { outputFiles } = await build({
    ...common,
    format: 'cjs',
    entryPoints: ['src/view/index.ts'],
    external: REACT,
    jsx: 'automatic',
    plugins: [stylesAsText, ownScale, ownTerms],
    write: false,
  });
  const code = `export function define(require) {\nconst module = { exports: {} };\n${outputFiles[0].text}return module.exports;\n}\n`;
  await writeFile(path('dist/view-core.js'), code);
}

/** The same element with a React of its own, and with that of the program. */
const entry = [
  "import { define } from './view-core.js';",
  ...REACT.map((name, index) => `import * as part${index} from '${name}';`),
  `const parts = { ${REACT.map((name, index) => `'${name}': part${index}`).join(', ')} };`,
  'export const { LevelscopeView } = define((name) => parts[name]);',
].join('\n');

export async function buildView() {
  await buildCore();
  for (const [name, external] of [
    ['view', []],
    ['view-react', REACT],
  ]) {
    await build({
      ...common,
      format: 'esm',
      stdin: { contents: entry, resolveDir: path('.') },
      external: ['./view-core.js', ...external],
      outfile: `dist/${name}.js`,
    });
  }
}
