// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { FakeCaches } from '../testing/fakeCaches';
import { inTime } from '../testing/inTime';
import { OfflineCopy } from './copy';
import { LOAD } from './files';

const SCOPE = 'https://host.example/play/';

class FakeWorker extends EventTarget {
  state = 'installing';
  readonly postMessage = vi.fn();
}

class FakeRegistration extends EventTarget {
  scope = SCOPE;
  installing: FakeWorker | null = null;
  waiting: FakeWorker | null = null;
  active: FakeWorker | null = null;
  readonly unregister = vi.fn(async () => true);
}

function start(address = SCOPE) {
  const registration = new FakeRegistration();
  const caches = new FakeCaches();
  const container = Object.assign(new EventTarget(), {
    register: vi.fn(async () => registration),
    getRegistration: vi.fn(async () => registration),
  });
  const session = new Map<string, string>();
  const reload = vi.fn();
  const server = vi.fn(async () => ({ ok: true }));
  const browser = Object.assign(new EventTarget(), {
    location: { href: address, reload },
    navigator: { serviceWorker: container },
    caches: caches.asCaches,
    sessionStorage: {
      getItem: (key: string) => session.get(key) ?? null,
      setItem: (key: string, value: string) => void session.set(key, value),
    },
    fetch: server,
  }) as unknown as Window;
  return {
    registration,
    caches,
    container,
    reload,
    server,
    browser,
    copy: new OfflineCopy(browser),
  };
}

/** The first worker of the page is installed and active. */
async function begun(given = start()) {
  const worker = new FakeWorker();
  given.registration.installing = worker;
  await given.copy.begin();
  await given.caches.open('levelscope-1@/play/');
  Object.assign(given.registration, { installing: null, active: worker });
  worker.state = 'activated';
  worker.dispatchEvent(new Event('statechange'));
  await vi.waitFor(() => expect(given.copy.get().isComplete).toBe(true), inTime);
  return given;
}

/** A second version is installed, and waits. */
async function updated() {
  const given = await begun();
  const next = new FakeWorker();
  given.registration.installing = next;
  given.registration.dispatchEvent(new Event('updatefound'));
  expect(given.copy.get().hasNewer).toBe(false);
  Object.assign(given.registration, { installing: null, waiting: next });
  next.state = 'installed';
  next.dispatchEvent(new Event('statechange'));
  expect(given.copy.get().hasNewer).toBe(true);
  return { ...given, next };
}

it('is complete once the worker is active, and not before', async () => {
  const given = start();
  given.registration.installing = new FakeWorker();
  await given.copy.begin();
  expect(given.copy.get()).toEqual({ isComplete: false, hasNewer: false });
  await begun(given);
  given.container.dispatchEvent(new Event('controllerchange'));
  expect(given.reload).not.toHaveBeenCalled();
});

it('is not complete where the cache was cleared under an active worker', async () => {
  const { registration, copy } = start();
  registration.active = new FakeWorker();
  registration.active.state = 'activated';
  await copy.begin();
  expect(copy.get().isComplete).toBe(false);
});

it('offers a version that waits, and asks it to take over only when a person does', async () => {
  const { next, copy, container, registration, reload } = await updated();
  expect(next.postMessage).not.toHaveBeenCalled();
  copy.load();
  expect(next.postMessage).toHaveBeenCalledWith(LOAD);
  expect(reload).not.toHaveBeenCalled();
  Object.assign(registration, { waiting: null, active: next });
  next.dispatchEvent(new Event('statechange'));
  container.dispatchEvent(new Event('controllerchange'));
  expect(reload).toHaveBeenCalledOnce();
  // A person who stayed at the browser's question can still load it.
  copy.load();
  expect(reload).toHaveBeenCalledTimes(2);
});

it('calls its listeners at each change, once', async () => {
  const { copy } = await updated();
  const listener = vi.fn();
  const stop = copy.subscribe(listener);
  await copy.missPart();
  expect(listener).not.toHaveBeenCalled();
  stop();
});

it('offers one reload after a part that the server no longer has', async () => {
  const { copy, reload, browser } = start();
  await copy.missPart();
  expect(copy.get().hasNewer).toBe(true);
  copy.load();
  expect(reload).toHaveBeenCalledOnce();
  const again = new OfflineCopy(browser);
  await again.missPart();
  expect(again.get().hasNewer).toBe(false);
});

it('offers no reload while the server is away', async () => {
  const { copy, server } = start();
  server.mockRejectedValue(new TypeError('no network'));
  await copy.missPart();
  expect(copy.get().hasNewer).toBe(false);
});

it('is removed by ?sw=off, with its caches and no others', async () => {
  const { copy, caches, registration, container } = start(`${SCOPE}?sw=off`);
  for (const name of ['levelscope-1@/play/', 'levelscope-1@/other/']) await caches.open(name);
  await copy.begin();
  expect(container.register).not.toHaveBeenCalled();
  expect(registration.unregister).toHaveBeenCalledOnce();
  expect(await caches.keys()).toEqual(['levelscope-1@/other/']);
});

it('leaves the worker of a directory above alone', async () => {
  const { copy, registration } = start(`${SCOPE}?sw=off`);
  registration.scope = 'https://host.example/';
  await copy.begin();
  expect(registration.unregister).not.toHaveBeenCalled();
});

it('changes nothing where workers or storage are denied', async () => {
  const { copy, container } = start();
  container.register.mockRejectedValue(new DOMException('denied', 'SecurityError'));
  await copy.begin();
  const none = new OfflineCopy(
    Object.assign(new EventTarget(), { location: { reload() {} }, navigator: {} }) as Window,
  );
  await none.begin();
  none.load();
  for (const each of [copy, none]) {
    expect(each.get()).toEqual({ isComplete: false, hasNewer: false });
  }
});
