// Builds the programs for this machine: `levelscope`, and the examples that drive tests.

import { join } from 'node:path';
import { asScript, printLine, stream, targetDirectory, Unmet } from './lib.mjs';

/** Every crate of the product with every feature: what one command of cargo has compiled so, the others find there. */
export const ofProduct = ['--workspace', '--exclude', 'bindgen', '--all-features'];

/** Builds as tests do, quickly; answers where the program or example of a name is. */
export async function buildPrograms() {
  const { code } = await stream('cargo', [
    'build',
    '--locked',
    ...ofProduct,
    '--bins',
    '--examples',
  ]);
  if (code !== 0) throw new Unmet('The native programs could not be built; see above.');
  const end = process.platform === 'win32' ? '.exe' : '';
  const built = join(targetDirectory(), 'debug');
  return {
    program: join(built, `levelscope${end}`),
    example: (name) => join(built, 'examples', `${name}${end}`),
  };
}

asScript(import.meta.url, async () => printLine((await buildPrograms()).program));
