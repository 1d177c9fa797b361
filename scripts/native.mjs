// Builds the native program `levelscope`.

import { join } from 'node:path';
import { asScript, say, stream, targetDirectory, Unmet } from './lib.mjs';

/** The path of the native program: built for tests (quickly) or, as `release`, for measurements. */
export async function buildNative({ release = false } = {}) {
  const args = ['build', '--locked', '-p', 'levelscope-console', '--bin', 'levelscope'];
  if (release) args.push('--release');
  const { code } = await stream('cargo', args);
  if (code !== 0) throw new Unmet('The native program could not be built; see above.');
  const name = process.platform === 'win32' ? 'levelscope.exe' : 'levelscope';
  return join(targetDirectory(), release ? 'release' : 'debug', name);
}

asScript(import.meta.url, async () => say(await buildNative()));
