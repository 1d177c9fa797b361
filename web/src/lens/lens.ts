// The directory of another engine that is on show, as one value that views subscribe to.

import { createStore, type Store } from '../model/store';
import { LensClient, LensError, type LensWorker } from './client';
import type { Answers, Overview, Query } from './lens.generated';
import type { LensFailure, Progress, ReportQuery, Source } from './protocol';

/** What is on show. */
export type LensState =
  /** Nothing yet: a directory is to be chosen. */
  | { readonly state: 'empty' }
  | { readonly state: 'opening'; readonly name: string }
  /** Several folders look like a database. */
  | { readonly state: 'choosing'; readonly name: string; readonly folders: readonly string[] }
  | {
      readonly state: 'open';
      readonly name: string;
      /** The folder of the database in what was given; empty, or ends in `/`. */
      readonly folder: string;
      readonly overview: Overview;
      /** A check or an export that goes on. */
      readonly work: LensWork | null;
    }
  | { readonly state: 'failed'; readonly name: string; readonly failure: LensFailure };

/** Long work, for a progress bar with a Stop button. */
export interface LensWork {
  readonly what: 'check' | 'export';
  readonly progress: Progress;
}

/** The samples that come with the page, by their engine. */
export const SAMPLES = ['rocksdb', 'pebble', 'leveldb'] as const;
export type SampleName = (typeof SAMPLES)[number];

/** What the lens needs from the page around it. */
export interface LensSurroundings {
  /** Begins a worker. */
  start(): LensWorker;
  /** Fetches a sample: a zip archive. */
  sample(name: SampleName): Promise<Blob>;
}

/** The lens: opens directories of other engines, and answers questions to the open one. */
export class Lens {
  readonly store: Store<LensState> = createStore<LensState>({ state: 'empty' });
  readonly #around: LensSurroundings;
  #client: LensClient | null = null;
  #source: Source | null = null;

  constructor(around: LensSurroundings) {
    this.#around = around;
  }

  /** Where the directory on show comes from. */
  get source(): Source | null {
    return this.#source;
  }

  /** Opens a directory in the place of the one on show; what comes of it is in the store. */
  open = async (source: Source, folder: string | null = null): Promise<void> => {
    const client = this.#begin(source.name);
    this.#source = source;
    await this.#settle(client, source.name, async () => {
      const opened = await client.open(source, folder);
      if (opened.type === 'folders') {
        return { state: 'choosing', name: source.name, folders: opened.folders };
      }
      const overview = await client.ask({ ask: 'overview' });
      return { state: 'open', name: source.name, folder: opened.folder, overview, work: null };
    });
  };

  /** Opens one of the folders of {@link LensState} `choosing`. */
  choose = async (folder: string): Promise<void> => {
    if (this.#source !== null) await this.open(this.#source, folder);
  };

  /** Opens a sample that comes with the page. */
  openSample = async (name: SampleName): Promise<void> => {
    const client = this.#begin(name);
    let archive: Blob | null = null;
    await this.#settle(client, name, async () => {
      archive = await this.#around.sample(name);
      return { state: 'opening', name };
    });
    if (archive !== null && this.#client === client) {
      await this.open({ kind: 'zip', name: `${name}.zip`, archive });
    }
  };

  /** Shows nothing; the worker ends. */
  close = (): void => {
    this.#client?.close();
    this.#client = null;
    this.#source = null;
    this.store.update(() => ({ state: 'empty' }));
  };

  /** Answers a question to the open directory; rejects with a {@link LensError}. */
  ask = async <Asked extends Query>(
    query: Asked,
  ): Promise<Answers[Asked['ask'] & keyof Answers]> => {
    const client = this.#open();
    if (query.ask !== 'check') return client.ask(query);
    return this.#long('check', (onProgress) => client.ask(query, onProgress));
  };

  /** The table of a report as comma-separated values. */
  csv = async (query: ReportQuery): Promise<string> => this.#open().csv(query);

  /** A table of the live entries of a family that RocksDB ingests. */
  exportTable = async (family: number): Promise<Blob> => {
    const client = this.#open();
    return this.#long('export', (onProgress) => client.exportTable(family, onProgress));
  };

  /** Stops a check or an export; its promise is rejected with the kind `stopped`. */
  stop = (): void => this.#client?.stop();

  #begin(name: string): LensClient {
    this.#client?.close();
    const client = new LensClient(this.#around.start);
    this.#client = client;
    this.store.update(() => ({ state: 'opening', name }));
    return client;
  }

  /** Shows what `work` comes to, unless something else was opened meanwhile. */
  async #settle(client: LensClient, name: string, work: () => Promise<LensState>): Promise<void> {
    let state: LensState;
    try {
      state = await work();
    } catch (error) {
      state = { state: 'failed', name, failure: failureOf(error) };
    }
    if (this.#client !== client) return;
    this.store.update(() => state);
  }

  #open(): LensClient {
    if (this.#client !== null && this.store.get().state === 'open') return this.#client;
    throw new LensError({ kind: 'invalid', message: 'No directory is open.' });
  }

  async #long<Result>(
    what: LensWork['what'],
    run: (onProgress: (progress: Progress) => void) => Promise<Result>,
  ): Promise<Result> {
    const show = (work: LensWork | null) =>
      this.store.update((state) => (state.state === 'open' ? { ...state, work } : state));
    const client = this.#client;
    show({ what, progress: { done: 0, total: null } });
    try {
      return await run((progress) => show({ what, progress }));
    } finally {
      if (this.#client === client) show(null);
    }
  }
}

function failureOf(error: unknown): LensFailure {
  if (error instanceof LensError) return { kind: error.kind, message: error.message };
  const why = error instanceof Error ? error.message : String(error);
  return { kind: 'unserved', message: why };
}
