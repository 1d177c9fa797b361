// The service worker: it keeps the files of one version of the page and answers requests for them. It sees no data of a user:
// the database is in the private file system, and whatever is not listed goes to the network untouched.

import { answer, cacheName, dropCaches, keepFiles, keptAddress, LOAD, type Version } from './files';

/** Written by the build (scripts/offline.mjs). */
declare const BUILT: Pick<Version, 'hash' | 'files'>;

const worker = self as unknown as ServiceWorkerGlobalScope;
const version = { ...BUILT, scope: worker.registration.scope };
const fetchFile = (address: string, init: RequestInit) => fetch(address, init);

worker.addEventListener('install', (event) => {
  event.waitUntil(keepFiles(worker.caches, fetchFile, version));
});

worker.addEventListener('activate', (event) => {
  const activate = async () => {
    await dropCaches(worker.caches, version.scope, cacheName(version));
    // The visit that has brought the worker can then go on without a network, too.
    await worker.clients.claim();
  };
  event.waitUntil(activate());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = keptAddress(request, version);
  if (address === null) return;
  event.respondWith(answer(worker.caches, (asked) => fetch(asked), request, address, version));
});

// Pages of one version work to their end: only a person replaces it.
worker.addEventListener('message', ({ data }) => {
  if (data === LOAD) void worker.skipWaiting();
});
