// Sends the page the engine's news: events in batches, news of branches and breakpoints, changed options.

import type { CurrentOptions, Message } from '../model/engine.generated';
import type { Surroundings, WasmEngine } from './wasm';

/** [ms] Between two batches of events, unless a command has ended. */
const BATCH_PAUSE = 50;

export class Reporter {
  #nextBatchAt = 0;
  #settings = '';

  constructor(private readonly around: Pick<Surroundings, 'send' | 'now'>) {}

  /** The settings to send with the opening: they are sent again when they differ from these. */
  begin(engine: WasmEngine): CurrentOptions {
    this.#settings = engine.settings();
    return JSON.parse(this.#settings) as CurrentOptions;
  }

  /** Sends the events since the last batch; `always`: also when the last one was only just sent. */
  events(engine: WasmEngine, always: boolean): void {
    const now = this.around.now();
    if (!always && now < this.#nextBatchAt) return;
    const batch = always ? engine.events(false) : engine.newestEvents();
    if (batch === undefined) return;
    this.#nextBatchAt = now + BATCH_PAUSE;
    this.around.send(batch);
  }

  /** Sends changes of branches and breakpoints. */
  news(engine: WasmEngine): void {
    const news = engine.news();
    if (news === '[]') return;
    for (const message of JSON.parse(news) as Message[]) {
      if (message.type === 'break') this.events(engine, true);
      this.around.send(message);
    }
  }

  /** Prints a line of the worker's own, for request `id`. */
  print(id: number, text: string): void {
    this.around.send({ type: 'output', id, lines: [{ spans: [{ text, style: 'dim' }] }] });
  }

  settings(engine: WasmEngine): void {
    const settings = engine.settings();
    if (settings === this.#settings) return;
    this.#settings = settings;
    const { options, preset } = JSON.parse(settings) as CurrentOptions;
    this.around.send({ type: 'options', options, preset });
  }
}
