// The worker of one database of the main thread: engine and files.

import { troubleOf } from '../engine/error';
import { LocalEngine } from '../engine/local';
import { hold } from '../origin/lock';
import { OriginPlace } from './origin';
import type { Opened, Opening } from './protocol';
import { isDedicatedWorker } from './scope';
import { Service } from './service';

// `browser.js` takes these from here instead of having them a second time: build.mjs.
export { LevelscopeError, notOpen } from '../engine/error';
export { LocalEngine } from '../engine/local';
export {
  ABSENT,
  answersAt,
  entriesAt,
  Packing,
  packedIn,
  valueAt,
  valuesAt,
} from '../engine/packing';
export { MemoryPlace } from '../engine/place';
export { hold } from '../origin/lock';
export { Ask, Box, framesOf, NO_LIMIT, Status } from './frames';
export { destroy, OriginPlace } from './origin';
export { isDedicatedWorker } from './scope';

/** The scope of a dedicated worker, as far as it is used here. */
interface Scope {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(
    type: 'message',
    listener: (event: MessageEvent<Opening | Uint8Array<ArrayBuffer>>) => void,
  ): void;
}

let service: Service | undefined;

const scope = globalThis as unknown as Scope;
const report = (message: Opened) => scope.postMessage(message);

/** Holds a lock for ever: when the page gets it, this worker is gone. */
async function live(name: string) {
  await hold(name, {});
  report({ state: 'alive' });
}

async function open({ location, inspect, fallback, module, request, life }: Opening) {
  // Where there are no locks, opening fails and names the missing feature.
  live(life).catch(() => {});
  const place = new OriginPlace({ location, fallback });
  const engine = new LocalEngine({ place, load: async () => module, inspect });
  try {
    await engine.open(request);
    service = new Service(engine, (message, transfer) => scope.postMessage(message, transfer));
    report({ state: 'open', inMemory: place.inMemory });
  } catch (thrown) {
    report({ state: 'failed', trouble: troubleOf(thrown) });
  }
}

// The program's own workers may load this file, too: other messages are theirs.
if (isDedicatedWorker()) {
  scope.addEventListener('message', ({ data }) => {
    if (data instanceof Uint8Array) service?.receive(data);
    else if (data?.levelscope === 'open') open(data);
  });
}
