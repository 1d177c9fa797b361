// The service worker's work on the files of a version, apart from the browser's events.

/** A file of the page, as the build left it. */
interface ListedFile {
  /** Relative to the scope. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256, as hexadecimal digits. */
  readonly hash: string;
}

/** One version of the page at one address. */
export interface Version {
  /** Differs between any two builds. */
  readonly hash: string;
  /** Address of the directory of the page, with a slash at its end. */
  readonly scope: string;
  readonly files: readonly ListedFile[];
}

type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** The message to a waiting service worker after a person has asked for the new version. */
export const LOAD = 'load';

/** The page itself, which the scope's own address names too. */
const INDEX = 'index.html';
const CACHE = /^levelscope-[0-9a-f]+@(.*)$/;

/** The cache of a version. An origin has one set of caches, so the name separates copies under two paths. */
export function cacheName({ hash, scope }: Pick<Version, 'hash' | 'scope'>): string {
  return `levelscope-${hash}@${new URL(scope).pathname}`;
}

/** The caches that belong to the page at `scope`, of any version. */
export async function cachesOf(caches: CacheStorage, scope: string): Promise<string[]> {
  const { pathname } = new URL(scope);
  return (await caches.keys()).filter((name) => CACHE.exec(name)?.[1] === pathname);
}

/** Deletes the caches of the page at `scope`, except the one named `kept`. */
export async function dropCaches(
  caches: CacheStorage,
  scope: string,
  kept: string | null,
): Promise<void> {
  const names = await cachesOf(caches, scope);
  await Promise.all(names.filter((name) => name !== kept).map((name) => caches.delete(name)));
}

/** Puts all files into the cache of the version, or leaves no cache and rejects. */
export async function keepFiles(
  caches: CacheStorage,
  fetch: Fetch,
  version: Version,
): Promise<void> {
  const name = cacheName(version);
  try {
    const cache = await caches.open(name);
    const keep = async (file: ListedFile) => {
      const address = new URL(file.path, version.scope).href;
      await cache.put(address, await fetchExactly(fetch, address, file));
    };
    await Promise.all(version.files.map(keep));
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
}

/** Fetches a file and checks length and hash: during a deployment a server has files of two versions. */
async function fetchExactly(fetch: Fetch, address: string, file: ListedFile): Promise<Response> {
  // The page has just been loaded, so most files are in the browser's HTTP cache; only a stale one is fetched again.
  for (const cache of ['default', 'reload'] as const) {
    const response = await fetch(address, { cache });
    const bytes = await response.arrayBuffer();
    if (response.ok && bytes.byteLength === file.bytes && (await sha256(bytes)) === file.hash) {
      // A new response, because a page that came by a redirection cannot answer a navigation. The body is unpacked already.
      const headers = new Headers(response.headers);
      headers.delete('content-encoding');
      headers.delete('content-length');
      return new Response(bytes, { headers });
    }
  }
  throw new Error(`${file.path}: the server has other bytes than this version`);
}

async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The address under which the cache has what is requested; `null` when the network has to answer. */
export function keptAddress(
  { method, url }: Pick<Request, 'method' | 'url'>,
  { scope, files }: Version,
): string | null {
  const wanted = new URL(url);
  const root = new URL(scope);
  if (method !== 'GET' || wanted.origin !== root.origin) return null;
  if (!wanted.pathname.startsWith(root.pathname)) return null;
  const path = wanted.pathname.slice(root.pathname.length) || INDEX;
  // The way out has to work even where the kept page does not.
  if (path === INDEX && isSwitchedOff(wanted)) return null;
  return files.some((file) => file.path === path) ? new URL(path, scope).href : null;
}

/** Answers from the cache of the version, or from the network where the browser has emptied that cache. */
export async function answer(
  caches: CacheStorage,
  fetch: (request: Request) => Promise<Response>,
  request: Request,
  address: string,
  version: Version,
): Promise<Response> {
  // Not by opening the cache: that would make an empty one.
  const kept = await caches.match(address, { cacheName: cacheName(version) });
  return kept ?? fetch(request);
}

/** Whether an address of the page asks for no copy: `?sw=off`. */
export function isSwitchedOff({ searchParams }: URL): boolean {
  return searchParams.get('sw') === 'off';
}
