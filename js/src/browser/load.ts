// The engine's module: from beside this file, or from the source that the program gives.

import type { Load } from '../engine/module';

/** The source of the engine's module, if it is not beside the JavaScript. */
export type WasmSource = string | URL | Response | BufferSource | WebAssembly.Module;

// Bundlers see these two expressions, and copy the files.
const urls = {
  levelscope: () => new URL('./levelscope.wasm', import.meta.url),
  'levelscope-inspect': () => new URL('./levelscope-inspect.wasm', import.meta.url),
};

/** Modules by their address, or by what the program has given: compiled once. */
const compiled = new Map<string, Promise<WebAssembly.Module>>();
const given = new WeakMap<object, Promise<WebAssembly.Module>>();

async function compile(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) {
    throw new Error(`the engine was not found: ${response.url} answers ${response.status}`);
  }
  // The server may call it by another type: then only its bytes count.
  if (response.headers.get('Content-Type') === 'application/wasm') {
    return WebAssembly.compileStreaming(response);
  }
  const bytes = await response.arrayBuffer();
  return WebAssembly.compile(bytes).catch((thrown) => {
    throw new Error(`${response.url} is not the engine's module: ${thrown}`);
  });
}

async function made(source: Exclude<WasmSource, string>): Promise<WebAssembly.Module> {
  if (source instanceof URL) return compile(await fetch(source));
  if (source instanceof Response) return compile(source);
  return source instanceof WebAssembly.Module ? source : WebAssembly.compile(source);
}

function fromUrl(url: URL): Promise<WebAssembly.Module> {
  let found = compiled.get(url.href);
  if (found === undefined) {
    found = made(url);
    compiled.set(url.href, found);
    // The next one to ask tries again.
    found.catch(() => compiled.delete(url.href));
  }
  return found;
}

/** Gets modules from `source`, where there is one. */
export function loadFrom(source: WasmSource | undefined): Load {
  return (name) => {
    if (source === undefined) return fromUrl(urls[name]());
    if (typeof source === 'string') return fromUrl(new URL(source, globalThis.location.href));
    if (source instanceof URL) return fromUrl(source);
    let found = given.get(source);
    if (found === undefined) {
      found = made(source);
      given.set(source, found);
      // The call that awaits it reports the failure.
      found.catch(() => {});
    }
    return found;
  };
}
