// Follows a database for one picture.

import type { RecentWrites } from '../../../web/src/model/engine.generated';
import { messageOf } from '../../../web/src/model/failures';
import type { Store } from '../../../web/src/model/store';
import { RECENT_MAX } from '../../../web/src/views/Stage/scene/contents';
import { wait } from '../wait';
import { BLANK, type Drawn, drawnAfter, type Standing } from './state';
import type { Watchable } from './types';

/** Time between two pictures [ms]. */
const PERIOD_MS = 100;
/** Of more events than these between two pictures, the newest ones are fetched, with the state. */
const EVENTS_MAX = 200;
/** How much longer than the drawing of a picture the time without one is. */
const RESTS = 10;
/** After a rush, the newest entries are asked for when it has been quiet for so long [ms]. */
const QUIET_MS = 300;

const recentOf = (source: Watchable['levelscope']) =>
  source.recent<readonly RecentWrites[]>(RECENT_MAX);

/** Keeps `store` at the state of `database` until the signal is aborted; again after each opening. */
export async function follow(database: Watchable, store: Store<Drawn>, signal: AbortSignal) {
  while (!signal.aborted) {
    const after = await standingAfter(database, store, signal);
    if (signal.aborted) return;
    store.update((before) => ({ ...before, standing: after }));
    await opened(database, signal);
  }
}

/** Follows the database as long as it is open; how that has ended. */
async function standingAfter(
  database: Watchable,
  store: Store<Drawn>,
  signal: AbortSignal,
): Promise<Standing> {
  const { status } = database;
  if (status !== 'opening' && status !== 'open') return { is: 'closed' };
  store.update(() => ({ ...BLANK, standing: { is: 'waiting' } }));
  try {
    await followOpened(database, store, signal);
    return { is: 'closed' };
  } catch (thrown) {
    return { is: 'failed', why: database.status === 'open' ? messageOf(thrown) : refusal(thrown) };
  }
}

/** A failed opening as a sentence. */
function refusal(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const reason = cause === undefined ? '`await db.open()` has the reason' : messageOf(cause);
  return `The database could not be opened: ${reason.replace(/\.$/, '')}.`;
}

async function followOpened(
  { levelscope: source }: Watchable,
  store: Store<Drawn>,
  signal: AbortSignal,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const askLater = () => {
    timer = setTimeout(async () => {
      const recent = await recentOf(source).catch(() => null);
      if (recent !== null && !signal.aborted)
        store.update((before) => ({ ...before, recent, dropped: 0 }));
    }, QUIET_MS);
  };
  try {
    const options = { signal, most: EVENTS_MAX, periodMs: PERIOD_MS };
    for await (const batches of source.pictures(options)) {
      clearTimeout(timer);
      const isFirst = store.get().standing.is !== 'open';
      const next = drawnAfter(store.get(), batches);
      // To find the newest entries among many costs the engine more than a glance.
      const asks = isFirst || next.dropped === 0;
      const recent = asks ? await recentOf(source).catch(() => next.recent) : next.recent;
      if (signal.aborted) return;
      if (!asks) askLater();
      const spent = await drawn(store, { ...next, recent, dropped: isFirst ? 0 : next.dropped });
      // On a slow device there are fewer pictures: the program needs the thread, too.
      await wait(Math.max(0, spent * RESTS - PERIOD_MS), signal);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Shows a picture; how long drawing it holds the thread [ms]. */
async function drawn(store: Store<Drawn>, next: Drawn): Promise<number> {
  const start = performance.now();
  store.update(() => next);
  // React has drawn when the microtasks that it has queued are over.
  await null;
  return performance.now() - start;
}

/** Resolves when the database opens again, or the signal is aborted. */
function opened(database: Watchable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      database.off?.('open', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    database.on?.('open', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
