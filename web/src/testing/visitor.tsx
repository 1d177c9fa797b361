// A visitor of the page with the real engine: the picture as it is drawn, on a clock that a test moves.

import { render } from '@testing-library/react';
import { useSyncExternalStore } from 'react';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { Lab } from '../app/lab';
import { Offers } from '../app/Offers';
import { EngineClient } from '../engine/client';
import { EngineHost } from '../engine/host';
import { LESSON_TEXTS } from '../engine/lessonTexts';
import type { Wasm } from '../engine/wasm';
import type { Parcel } from '../engine/wire';
import { shown } from '../model/shown';
import { NowTab } from '../views/Now/NowTab';
import { PageStage } from '../views/Stage/PageStage';
import { Narration } from '../views/Timeline/Narration';
import type { WorkerLike } from '../worker/requests';
import { type FakeDisk, loadLabs, loadWasm } from './hostPage';

const realTurn = setImmediate;
/** [ms] Of the clock, between two looks. */
const TICK = 60;
/** Looks at the same picture after which it is drawn. */
const STILL = 5;
const LOOKS_MAX = 2000;

/** Loads the engine before all tests of a file, and gives each of them a clock that it moves; returns the engine. */
export function withEngine(): () => Wasm {
  let wasm: Wasm;
  beforeAll(async () => {
    wasm = await loadWasm();
  });
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  return () => wasm;
}

/** The worker, in the thread of the test. */
class Worker implements WorkerLike<Parcel> {
  onmessage: ((event: MessageEvent) => void) | null = null;
  onmessageerror = null;
  onerror = null;
  readonly #host: EngineHost;

  constructor(wasm: Wasm, disk: FakeDisk) {
    this.#host = new EngineHost({
      version: 'test',
      load: async () => wasm,
      loadLabs,
      loadLessons: async () => LESSON_TEXTS,
      send: (message) => this.onmessage?.({ data: structuredClone(message) } as MessageEvent),
      claim: () => disk.place(),
      release: () => undefined,
      breathe: () => new Promise((resolve) => realTurn(resolve)),
      now: () => performance.now(),
    });
  }

  postMessage(parcel: Parcel): void {
    this.#host.receive(structuredClone(parcel));
  }

  terminate(): void {}
}

function Picture({ lab }: { lab: Lab }) {
  const page = shown(useSyncExternalStore(lab.store.subscribe, lab.store.get));
  const nothing = () => undefined;
  return (
    <Offers lab={lab} page={page} why={nothing} closeFull={nothing} presents={null}>
      <Narration page={page} isLow={false} />
      <PageStage page={page} />
      <NowTab page={page} />
    </Offers>
  );
}

/** Moves and highlights show how the visitor came to a step; everything else belongs to the step. */
const OF_THE_WAY = '.changed, .past-bar, .next, [role=status]';

export class Visitor {
  readonly lab: Lab;
  readonly #client: EngineClient;
  readonly #root: HTMLElement;
  readonly #unmount: () => void;
  #drawn = { html: '', picture: '' };

  constructor(wasm: Wasm, disk: FakeDisk) {
    this.#client = new EngineClient(new Worker(wasm, disk));
    this.lab = new Lab(this.#client, null, (callback) => realTurn(callback));
    const { container, unmount } = render(<Picture lab={this.lab} />);
    this.#root = container;
    this.#unmount = unmount;
  }

  async open(): Promise<void> {
    await this.still(
      this.lab.open({ preset: 'classroom', settings: {}, storage: 'auto', takeOver: false }),
    );
  }

  /** Types a line and waits for its end. */
  async type(line: string): Promise<void> {
    this.lab.type(line);
    await this.still();
  }

  async leave(): Promise<void> {
    await this.still(this.#client.ask({ type: 'close' }));
    this.#unmount();
    this.lab.dispose();
  }

  /** The step and detail on show. */
  get place(): string {
    const { step, detail } = shown(this.lab.store.get()).place;
    return detail > 0 ? `${step}.${detail}` : String(step);
  }

  /** The drawn page, without marks of the way to it. */
  get picture(): string {
    const html = this.#root.innerHTML;
    if (html !== this.#drawn.html) this.#drawn = { html, picture: this.#simplified() };
    return this.#drawn.picture;
  }

  #simplified(): string {
    const copy = this.#root.cloneNode(true) as HTMLElement;
    for (const element of copy.querySelectorAll(OF_THE_WAY)) element.remove();
    for (const element of copy.querySelectorAll('.fresh, .past')) {
      element.classList.remove('fresh', 'past');
    }
    // The size of a sentence follows what was there before it.
    for (const element of copy.querySelectorAll('[style]')) element.removeAttribute('style');
    // React sets attributes in the order in which they come.
    for (const element of copy.querySelectorAll('*')) {
      const attributes = [...element.attributes].sort((a, b) => (a.name < b.name ? -1 : 1));
      for (const { name } of attributes) element.removeAttribute(name);
      for (const { name, value } of attributes) element.setAttribute(name, value);
    }
    return copy.innerHTML
      .replaceAll(', just changed', '')
      .replaceAll(/>\s*</g, '>\n<')
      .replaceAll(/_r_\w+_|:r\w+:/g, '');
  }

  /** The objects of the picture that it marks as new, and those of them that the tab Now lists. */
  get changed(): { framed: string[]; listed: string[] } {
    const idsOf = (selector: string) =>
      [...this.#root.querySelectorAll(selector)].map(
        (element) => element.closest('[data-object]')?.getAttribute('data-object') ?? '',
      );
    const drawn = new Set(idsOf('.page-stage [data-object]'));
    const framed = new Set(
      idsOf('[aria-label*="just changed"], .is-fresh, .fresh > [data-object]'),
    );
    const listed = new Set(idsOf('.changed [data-object]').filter((id) => drawn.has(id)));
    return { framed: [...framed].sort(), listed: [...listed].sort() };
  }

  /** Lets one look's time pass. */
  async tick(): Promise<void> {
    await vi.advanceTimersByTimeAsync(TICK);
    for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => realTurn(resolve));
  }

  /** Waits until nothing changes any more. */
  async still(work: Promise<unknown> = Promise.resolve()): Promise<void> {
    let isOver = false;
    work.then(() => {
      isOver = true;
    });
    let before = '';
    let same = 0;
    for (let look = 0; look < LOOKS_MAX && same < STILL; look += 1) {
      await this.tick();
      const page = this.lab.store.get();
      const now = `${this.place} ${page.wanted} ${this.#root.innerHTML}`;
      const isIdle = isOver && page.busy === null && page.wanted === null;
      same = isIdle && now === before ? same + 1 : 0;
      before = now;
    }
    if (same < STILL) throw new Error('the picture does not come to rest');
  }
}
