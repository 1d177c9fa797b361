// One glue for both modules of the engine: they differ only in exports, so that JavaScript need not be there twice. It
// makes instances, as many as are wanted.

import { readFileSync, writeFileSync } from 'node:fs';

const imports = /^function __wbg_get_imports\(\) \{\n[\s\S]*?^\}\n/m;

/** The imports of a module, under one name. */
const imported = (glue, name) =>
  imports.exec(glue)?.[0].replace(`"./${name}_bg.js"`, '"./levelscope_bg.js"');

/** Takes the first match of each pattern out of `text`; all have to be there. */
function without(text, patterns) {
  return patterns.reduce((left, pattern) => {
    if (!pattern.test(left)) throw new Error(`The glue of wasm-bindgen has no ${pattern}.`);
    return left.replace(pattern, '');
  }, text);
}

const types = `import type { Database, Files } from './levelscope-inspect.js';

/** An instance of a module of the engine. Without inspection, its calls are not there. */
export function instantiate(module: WebAssembly.Module): {
  readonly memory: WebAssembly.Memory;
  readonly Database: typeof Database;
  readonly Files: typeof Files;
};
`;

/** Writes `glue.js` beside the glue of the two modules in `directory`. */
export function writeGlue(directory) {
  const [plain, inspected] = ['levelscope', 'levelscope-inspect'].map((name) => {
    const glue = readFileSync(`${directory}/${name}.js`, 'utf8');
    return { glue, imported: imported(glue, name) };
  });
  if (plain.imported === undefined || plain.imported !== inspected.imported) {
    throw new Error(
      'The two modules of the engine import different functions: each needs its own glue.',
    );
  }
  const own = '"./levelscope-inspect_bg.js": import0,';
  const body = without(inspected.glue, [
    /^async function __wbg_load\([\s\S]*?^\}\n/m,
    /^let __wbg_init_promise;\n/m,
    /^async function __wbg_init\([\s\S]*?^\}\n/m,
    /^async function __wbg_init_once\([\s\S]*?^\}\n/m,
    /^export \{ initSync.*\n/m,
  ])
    .replaceAll(/^export class/gm, 'class')
    .replace(own, `"./levelscope_bg.js": import0, ${own}`);
  const made = `export function instantiate(module) {
${body}
const { memory } = initSync({ module });
return { memory, Database, Files };
}
`;
  writeFileSync(`${directory}/glue.js`, made);
  writeFileSync(`${directory}/glue.d.ts`, types);
}
