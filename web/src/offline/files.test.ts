import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { FakeCaches } from '../testing/fakeCaches';
import { answer, cacheName, cachesOf, dropCaches, keepFiles, keptAddress } from './files';

const SCOPE = 'https://host.example/deep/path/';
const listed = (path: string, text: string) => ({
  path,
  bytes: Buffer.byteLength(text),
  hash: createHash('sha256').update(text).digest('hex'),
});
const VERSION = {
  hash: '0123abcd',
  scope: SCOPE,
  files: [listed('index.html', '<p>'), listed('assets/a-1.js', 'a()')],
};
const NAME = 'levelscope-0123abcd@/deep/path/';

/** A server of texts, by path; counts how each was asked for. */
function server(texts: Record<string, string | undefined>, headers: Record<string, string> = {}) {
  return vi.fn(async (address: string, _init: RequestInit) => {
    const text = texts[address.slice(SCOPE.length)];
    return new Response(text ?? 'none', { status: text === undefined ? 404 : 200, headers });
  });
}
const SOUND = { 'index.html': '<p>', 'assets/a-1.js': 'a()' };

describe('keeping the files of a version', () => {
  it('puts each under its address, with its headers except those of the transfer', async () => {
    const caches = new FakeCaches();
    const headers = { 'content-type': 'text/x', 'content-encoding': 'gzip', 'content-length': '9' };
    await keepFiles(caches.asCaches, server(SOUND, headers), VERSION);
    const cache = caches.kept.get(NAME);
    expect([...(cache?.keys() ?? [])].sort()).toEqual([
      `${SCOPE}assets/a-1.js`,
      `${SCOPE}index.html`,
    ]);
    const page = cache?.get(`${SCOPE}index.html`);
    expect(await page?.text()).toBe('<p>');
    expect([...(page?.headers ?? [])]).toEqual([['content-type', 'text/x']]);
  });

  it.each([
    ['is missing', undefined],
    ['has another length', 'a();'],
    ['has other bytes', 'b()'],
  ])('keeps none when one %s', async (_, text) => {
    const caches = new FakeCaches();
    const fetch = server({ ...SOUND, 'assets/a-1.js': text });
    await expect(keepFiles(caches.asCaches, fetch, VERSION)).rejects.toThrow('assets/a-1.js');
    expect(await caches.keys()).toEqual([]);
  });

  it('keeps none when the network ends in between', async () => {
    const caches = new FakeCaches();
    const sound = server(SOUND);
    const fetch = async (address: string, init: RequestInit) => {
      if (address.endsWith('.js')) throw new TypeError('Failed to fetch');
      return sound(address, init);
    };
    await expect(keepFiles(caches.asCaches, fetch, VERSION)).rejects.toThrow('Failed to fetch');
    expect(await caches.keys()).toEqual([]);
  });

  it('asks past the HTTP cache only for a file that is stale there', async () => {
    const caches = new FakeCaches();
    const fetch = vi.fn(async (address: string, { cache }: RequestInit) => {
      if (address.endsWith('.html') && cache !== 'reload') return new Response('<old>');
      return new Response(address.endsWith('.html') ? '<p>' : 'a()');
    });
    await keepFiles(caches.asCaches, fetch, VERSION);
    const asked = fetch.mock.calls.map(([address, { cache }]) => `${cache} ${address}`);
    expect(asked.sort()).toEqual([
      `default ${SCOPE}assets/a-1.js`,
      `default ${SCOPE}index.html`,
      `reload ${SCOPE}index.html`,
    ]);
  });
});

describe('caches of several paths and versions', () => {
  const others = [
    'levelscope-ff@/',
    'levelscope-ff@/a@/deep/path/',
    'another',
    'levelscope-x@/deep/path/',
  ];

  it('differ by their names', async () => {
    const caches = new FakeCaches();
    for (const name of [...others, NAME, 'levelscope-ff@/deep/path/']) await caches.open(name);
    expect(cacheName(VERSION)).toBe(NAME);
    expect(await cachesOf(caches.asCaches, SCOPE)).toEqual([NAME, 'levelscope-ff@/deep/path/']);
    await dropCaches(caches.asCaches, SCOPE, NAME);
    expect(await caches.keys()).toEqual([...others, NAME]);
    await dropCaches(caches.asCaches, SCOPE, null);
    expect(await caches.keys()).toEqual(others);
  });
});

describe('a request', () => {
  const address = (url: string, method = 'GET') => keptAddress({ url, method }, VERSION);

  it('for a listed file has an address in the cache, whatever its query', () => {
    expect(address(SCOPE)).toBe(`${SCOPE}index.html`);
    expect(address(`${SCOPE}?from=x#table:1`)).toBe(`${SCOPE}index.html`);
    expect(address(`${SCOPE}index.html`)).toBe(`${SCOPE}index.html`);
    expect(address(`${SCOPE}assets/a-1.js?again=1`)).toBe(`${SCOPE}assets/a-1.js`);
  });

  it.each([
    ['another method', SCOPE, 'POST'],
    ['another method that reads', SCOPE, 'HEAD'],
    ['another origin', 'https://other.example/deep/path/', 'GET'],
    ['another path', 'https://host.example/index.html', 'GET'],
    ['a file that is not listed', `${SCOPE}assets/b-2.js`, 'GET'],
    ['the worker itself', `${SCOPE}sw.js`, 'GET'],
    ['the way out', `${SCOPE}?sw=off`, 'GET'],
    ['the way out by its name', `${SCOPE}index.html?sw=off`, 'GET'],
  ])('with %s goes to the network', (_, url, method) => {
    expect(address(url, method)).toBeNull();
  });

  it('is answered from its version alone, and by the network where the cache was emptied', async () => {
    const caches = new FakeCaches();
    await keepFiles(caches.asCaches, server(SOUND), VERSION);
    const fetch = vi.fn(async () => new Response('network'));
    const request = new Request(SCOPE);
    const asked = `${SCOPE}index.html`;
    const kept = await answer(caches.asCaches, fetch, request, asked, VERSION);
    expect(await kept.text()).toBe('<p>');
    expect(fetch).not.toHaveBeenCalled();
    caches.kept.delete(NAME);
    const fetched = await answer(caches.asCaches, fetch, request, asked, VERSION);
    expect(await fetched.text()).toBe('network');
    expect(await caches.keys()).toEqual([]);
  });
});
