// Written by wasm/wbg: the rest of the engine's module, which is fetched after the engine is ready, or when a function of
// it is called before.

import { awaitPart, initSync } from './levelscope_wasm.js';

const address = new URL('levelscope_part.wasm', import.meta.url);

let isThere = false;
let read = readFromServer;
let missing = null;

/** The part on its way; those who ask meanwhile wait for the same one. */
let coming = null;

/**
 * Adds the part to the module, which is initialized; nothing happens when it is there already. `bytes`: its content, where
 * the caller has it. Rejects when it does not come; a later call tries again.
 */
export async function loadPart(bytes) {
  if (isThere) return;
  coming ??= added(bytes).finally(() => {
    coming = null;
  });
  await coming;
}

async function added(bytes) {
  add(await WebAssembly.compile(bytes ?? (await fetched())));
}

/** How the part is read at once, where it is not on the server of this script. */
export function readPartBy(source) {
  read = source;
}

/** Called by the module itself: a function of the part is needed now. Throws when the part does not come. */
export function fetchNow() {
  if (isThere) return;
  // The call before was stopped, and nothing may go on from there.
  if (missing !== null) throw missing;
  let module;
  try {
    module = new WebAssembly.Module(read());
  } catch (error) {
    missing = new PartMissing(error);
    throw missing;
  }
  add(module);
}

/** The module was stopped amid a call, because the rest of it did not come: it cannot be used any more. */
export class PartMissing extends Error {
  name = 'PartMissing';

  constructor(cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `The rest of Levelscope was needed and could not be fetched from the server (${why}). Reload the page when the server can be reached.`,
      { cause },
    );
  }
}

function add(module) {
  if (isThere) return;
  const first = initSync();
  // A module that is not divided has all functions.
  if (first.restIsThere !== undefined) {
    new WebAssembly.Instance(module, { '': first });
    first.restIsThere.value = 1;
  }
  isThere = true;
  awaitPart(false);
}

async function fetched() {
  const response = await fetch(address, { priority: 'low' });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.arrayBuffer();
}

/** The module waits in the midst of a call; a worker may do so. */
function readFromServer() {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  request.responseType = 'arraybuffer';
  request.send();
  if (request.status !== 200) throw new Error(`the server answered ${request.status}`);
  return request.response;
}
