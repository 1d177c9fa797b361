// A worker that runs the storage conformance suite on the files of its origin, and posts each case's outcome.

import init, * as suite from './levelscope_conformance.js';

/** Opens a file, empty. */
async function emptied(directory, name) {
  await directory.removeEntry(name).catch(() => {});
  const file = await directory.getFileHandle(name, { create: true });
  return file.createSyncAccessHandle();
}

/** Runs one case on empty files; resolves to what is wrong, or `null`. */
async function run(name, directory) {
  const handles = [];
  try {
    suite.begin();
    for (const file of suite.files()) {
      const handle = await emptied(directory, file);
      handles.push(handle);
      suite.register(file, handle);
    }
    return suite.run(name) ?? null;
  } catch (error) {
    return String(error);
  } finally {
    for (const handle of handles) handle.close();
  }
}

await init({ module_or_path: new URL('levelscope_conformance_bg.wasm', import.meta.url) });
const root = await navigator.storage.getDirectory();
const directory = await root.getDirectoryHandle('conformance', { create: true });
const outcomes = [];
for (const name of suite.cases()) outcomes.push({ name, problem: await run(name, directory) });
self.postMessage(outcomes);
