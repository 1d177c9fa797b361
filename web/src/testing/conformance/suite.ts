// A worker that runs the storage conformance suite on the files of its origin, and posts each case's outcome.

import type { OriginDirectory } from '../../../../js/src/origin/directory';
import { Home } from '../../engine/opfs';
import wasmUrl from '../../engine/pkg/levelscope_wasm_bg.wasm?url';
import { messageOf } from '../../model/failures';
import { tested as wasm } from './package';

declare const self: DedicatedWorkerGlobalScope;

/** Runs one case on empty files; answers what is wrong, or `null`. */
async function run(name: string, directory: OriginDirectory): Promise<string | null> {
  try {
    wasm.beginDirectory([], new Uint8Array(16));
    for (const file of wasm.conformanceFiles()) {
      await directory.remove(file);
      wasm.register(file, await directory.open(file));
    }
    return wasm.runConformance(name) ?? null;
  } catch (error) {
    return wasm.lastPanic() ?? messageOf(error);
  } finally {
    directory.closeAll();
  }
}

async function runAll(): Promise<{ name: string; problem: string | null }[]> {
  await wasm.default({ module_or_path: wasmUrl });
  const { directory } = await Home.find(undefined, 'conformance');
  const outcomes = [];
  for (const name of wasm.conformanceCases()) {
    outcomes.push({ name, problem: await run(name, directory) });
  }
  return outcomes;
}

self.postMessage(await runAll());
