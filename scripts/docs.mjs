// `npm run docs`: the reference of the npm package, by TypeDoc, as pages in dist/reference beside the built page.

import { asScript, path, printLine, since, stream, Unmet } from './lib.mjs';
import { installJs, installPackages } from './setup.mjs';

async function docs() {
  await installJs();
  await installPackages({
    directory: 'js/reference',
    product: 'node_modules/typedoc/package.json',
    stamp: 'reference-packages',
  });
  const start = performance.now();
  const typedoc = 'js/reference/node_modules/typedoc/bin/typedoc';
  const options = ['--options', path('js/reference/typedoc.json')];
  const { code } = await stream(process.execPath, [path(typedoc), ...options]);
  if (code !== 0) throw new Unmet('The reference was not written; see above.');
  printLine(`Reference written to dist/reference in ${since(start)}.`);
}

asScript(import.meta.url, docs);
