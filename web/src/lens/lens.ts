// The directory of another engine that is on show, as one value that views subscribe to.

import type { Completion } from '../model/engine.generated';
import { createStore, type Store } from '../model/store';
import type { ForeignFile } from '../share/foreign';
import type { WorkerLike } from '../worker/requests';
import { LensClient, type OnProgress, STOPPED } from './client';
import { failureOf, LensError, type LensFailure } from './failure';
import type { Call } from './host';
import type { Answers, Overview, Problem, Query } from './lens.generated';
import type {
  Cursor,
  ExportForm,
  ExportPolicy,
  MadeTable,
  Progress,
  Ran,
  ReportQuery,
  Source,
} from './protocol';

/** The lens's state. */
export type LensState =
  /** Nothing yet: a directory is to be chosen. */
  | { readonly state: 'empty' }
  | {
      readonly state: 'opening';
      readonly name: string;
      /** Its progress; `null`: unknown. */
      readonly progress: OpeningProgress | null;
    }
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

/** Where in a file the bytes on show are. */
export type Place = { readonly address: string } | null;

/** A directory that was given while another one is open; `failure`: why that one stays, `null` until it is known. */
export interface LensNotice {
  readonly name: string;
  readonly failure: LensFailure | null;
}

/** The progress of opening a directory. */
export interface OpeningProgress {
  /** Files that were listed. */
  readonly files: number;
  /** Bytes that were read or unpacked. */
  readonly bytes: number;
}

/** A check whose findings are the overview's. */
export type Checked = Awaited<ReturnType<Lens['check']>>;

/** A check that a person has stopped. */
export type StoppedCheck = NonNullable<Checked['stopped']>;

/** Lists the files of a directory; `onListed` gets their number so far and returns whether to go on. */
type ListFiles = (onListed: (files: number) => boolean) => Promise<Source>;

/** Long work, for a progress bar with a Stop button. */
export interface LensWork {
  readonly what: 'check' | 'export';
  readonly progress: Progress;
}

/** The samples that come with the page, by their engine. */
export const SAMPLES = ['rocksdb', 'pebble', 'leveldb'] as const;
export type SampleName = (typeof SAMPLES)[number];

/** The services that the page gives the lens. */
interface LensSurroundings {
  /** Begins a worker. */
  start(): WorkerLike<Call>;
  /** Fetches a sample: a zip archive. */
  sample(name: SampleName): Promise<Blob>;
}

/** The lens: opens directories of other engines, and answers questions to the open one. */
export class Lens {
  readonly store: Store<LensState> = createStore<LensState>({ state: 'empty' });
  /** Bytes that were read for the question at work. */
  readonly reading: Store<number> = createStore(0);
  /** The family and the step on show: what the page chooses and what the terminal chooses is the same. */
  readonly cursor: Store<Cursor> = createStore<Cursor>({ family: 0, step: null });
  /** The part of a file whose bytes are wanted, such as `@000012.sst/blocks:1`; `null`: none yet. A new value for each time. */
  readonly place = createStore<Place>(null);
  /** Counts checks and reads that met damage: earlier answers may lack that damage. */
  readonly checks: Store<number> = createStore(0);
  readonly notice = createStore<LensNotice | null>(null);
  /** Opens the directory of the notice. */
  #next: LensClient | null = null;
  #client: LensClient | null = null;
  #source: Source | null = null;
  /** Files of the archive that could not be read: findings, too. */
  #leftOut: readonly Problem[] = [];

  constructor(private readonly around: LensSurroundings) {}

  /** Where the directory on show comes from. */
  get source(): Source | null {
    return this.#source;
  }

  /** Opens a directory in the place of the one on show; the result is in the store. Returns why it did not open. */
  open = async (source: Source, folder: string | null = null): Promise<LensFailure | null> => {
    const client = this.#begin(source.name);
    this.#source = source;
    return this.#settle(client, source.name, async () => {
      const show = ({ done, files }: Progress) =>
        this.#showOpening(client, { files: files ?? 0, bytes: done });
      const { state, leftOut } = await client.open(source, folder, show);
      if (this.#client === client) this.#leftOut = leftOut;
      return state;
    });
  };

  /**
   * Opens a directory as {@link open} does, but the one on show stays until the new one is open. Returns why it did not
   * open; {@link showFailure} shows that.
   */
  replace = async (source: Source): Promise<LensFailure | null> => {
    this.dismiss();
    const client = new LensClient(this.around.start);
    this.#next = client;
    this.notice.update(() => ({ name: source.name, failure: null }));
    try {
      const { state, leftOut } = await client.open(source, null);
      if (this.#next !== client) throw STOPPED;
      this.#next = null;
      this.#client?.close();
      this.#client = client;
      this.#source = source;
      this.#leftOut = leftOut;
      this.dismiss();
      this.#show(state);
      return null;
    } catch (error) {
      if (this.#next === client) this.dismiss();
      return failureOf(error, notLoaded);
    }
  };

  /** Shows why `name` did not open: beside the directory that is open, or in its place where none is. */
  showFailure = (name: string, failure: LensFailure): void => {
    if (this.store.get().state === 'open') {
      this.notice.update(() => ({ name, failure }));
      return;
    }
    this.close();
    this.store.update(() => ({ state: 'failed', name, failure }));
  };

  /** Ends the notice, and the opening that it is about. */
  dismiss = (): void => {
    this.#next?.close();
    this.#next = null;
    this.notice.update(() => null);
  };

  /** Opens a directory whose files are still to be listed. */
  openListed = async (name: string, list: ListFiles): Promise<void> => {
    const client = this.#begin(name);
    let source: Source | null = null;
    await this.#settle(client, name, async () => {
      source = await list((files) => this.#showOpening(client, { files, bytes: 0 }));
      return this.store.get();
    });
    if (source !== null && this.#client === client) await this.open(source);
  };

  /** Opens one of the folders of {@link LensState} `choosing`. */
  choose = async (folder: string): Promise<void> => {
    if (this.#source !== null) await this.open(this.#source, folder);
  };

  /** Opens a sample that comes with the page. */
  openSample = (name: SampleName): Promise<void> =>
    this.openListed(name, async () => {
      const archive = await this.around.sample(name);
      return { kind: 'zip', name: `${name}.zip`, archive, sample: name };
    });

  /** Shows nothing; the worker ends. */
  close = (): void => {
    this.dismiss();
    this.#client?.close();
    this.#client = null;
    this.#source = null;
    this.store.update(() => ({ state: 'empty' }));
  };

  /** Answers a question to the open directory; rejects with a {@link LensError}. */
  ask = async <Q extends Query>(query: Q): Promise<Answers[Q['ask'] & keyof Answers]> => {
    const client = this.#open();
    const answer = await this.#reading((onProgress) => client.ask(query, onProgress));
    const isRead = query.ask === 'get' || query.ask === 'scan';
    if (isRead && 'problems' in answer && without<unknown>(this.#shown, answer.problems).length > 0)
      await this.#renew(client);
    return answer;
  };

  /** Runs a line of the terminal on what is on show, and shows what it leads to; rejects with a {@link LensError}. */
  run = async (line: string): Promise<Ran> => {
    const before = this.cursor.get();
    const client = this.#open();
    const ran = await this.#reading((onProgress) => client.run(line, before, onProgress));
    if (this.#client !== client) return ran;
    const { family, step, failure, hasChecked } = ran;
    // A person's choice made meanwhile stays, unless the line chose another.
    if (family !== before.family) this.cursor.update((now) => ({ ...now, family }));
    if (step !== before.step) this.cursor.update((now) => ({ ...now, step }));
    const hasMetDamage = failure !== null && failure.kind !== 'usage';
    if (hasMetDamage || hasChecked) {
      this.checks.update((times) => times + 1);
      void this.#renew(client);
    }
    return ran;
  };

  /** Ways to go on typing in the terminal; `cursor` and `from` count UTF-16 units. */
  complete = async (line: string, cursor: number): Promise<Completion[]> =>
    this.#open().complete(line, cursor);

  /** Compares checksums; `deep`: decodes every entry, too. A stopped check returns its findings until then. */
  check = async (deep: boolean) => {
    const client = this.#open();
    const problems: Problem[] = [];
    let last: Progress = { done: 0, total: null };
    try {
      const all = await this.#long('check', (onProgress) =>
        client.ask({ ask: 'check', deep }, (progress) => {
          last = progress;
          problems.push(...(progress.news?.problems ?? []));
          onProgress(progress);
        }),
      );
      await this.#renew(client);
      /** Its coverage, as a clause. */
      const { extent } = all;
      return { extent, stopped: null };
    } catch (error) {
      if (!(error instanceof LensError) || error.kind !== 'stopped') throw error;
      const { done, total, news } = last;
      // A worker that is stopped forgets what it has found.
      this.#leftOut = [...this.#leftOut, ...without(this.#shown, problems)];
      this.#showProblems();
      // `left` is `null` where it had not begun.
      const { parts = 0, left = null, next = [] } = news ?? {};
      return { extent: '', stopped: { done, total, parts, left, next } };
    } finally {
      this.checks.update((times) => times + 1);
    }
  };

  /** All files of the database on show, with their bytes. */
  files = async (): Promise<readonly ForeignFile[]> => this.#open().call('files', []);

  /** The table of a report as comma-separated values. */
  csv = async (query: ReportQuery): Promise<string> => this.#open().call('csv', [query]);

  /**
   * The live entries of a family. Where something would be lost it is rejected with the kind `lossy`, where something
   * cannot be read with the kind of that failure, unless `policy` allows it.
   */
  exportTable = async (
    family: number,
    policy: ExportPolicy,
    form: ExportForm,
  ): Promise<MadeTable> => {
    const client = this.#open();
    return this.#long('export', (onProgress) =>
      client.call('exportTable', [family, policy, form], onProgress),
    );
  };

  /** Stops a check, an export or a line of the terminal; its promise is rejected with the kind `stopped`. */
  stop = (): void => this.#client?.stop();

  #begin(name: string): LensClient {
    this.dismiss();
    this.#client?.close();
    const client = new LensClient(this.around.start);
    this.#client = client;
    this.#leftOut = [];
    this.store.update(() => ({ state: 'opening', name, progress: null }));
    return client;
  }

  /** Returns whether it is still this directory that opens. */
  #showOpening(client: LensClient, progress: OpeningProgress): boolean {
    if (this.#client !== client) return false;
    this.store.update((state) => (state.state === 'opening' ? { ...state, progress } : state));
    return true;
  }

  /** Shows the result of `work`, unless another directory was opened meanwhile. Returns why it failed. */
  async #settle(client: LensClient, name: string, work: () => Promise<LensState>) {
    let state: LensState;
    let failure: LensFailure | null = null;
    try {
      state = await work();
    } catch (error) {
      failure = failureOf(error, notLoaded);
      state = { state: 'failed', name, failure };
    }
    if (this.#client === client) this.#show(state);
    return failure;
  }

  /** A directory that opens is shown with the family that comes first, at its last step. */
  #show(state: LensState): void {
    if (state.state === 'open') {
      const { shownFirst } = state.overview;
      this.cursor.update(() => ({ family: shownFirst, step: null }));
      this.place.update(() => null);
    }
    this.store.update(() => state);
  }

  /** Shows the problems found since opening. */
  async #renew(client: LensClient): Promise<void> {
    const newest = await client.ask({ ask: 'overview' }).catch(() => null);
    if (newest !== null && this.#client === client) this.#showProblems(newest);
  }

  get #shown(): readonly Problem[] {
    const state = this.store.get();
    return state.state === 'open' ? state.overview.problems : [];
  }

  /** Shows the findings of `newest`, or of the overview on show, with those that a worker has forgotten. */
  #showProblems(newest?: Overview): void {
    this.store.update((state) => {
      if (state.state !== 'open') return state;
      const overview = newest ?? state.overview;
      const problems = [...without(overview.problems, this.#leftOut), ...overview.problems];
      return { ...state, overview: { ...overview, problems } };
    });
  }

  /** Shows how many bytes were read until `question` is answered. */
  async #reading<Result>(question: (onProgress: OnProgress) => Promise<Result>): Promise<Result> {
    const show = (bytes: number) => this.reading.update(() => bytes);
    try {
      return await question(({ done }) => show(done));
    } finally {
      show(0);
    }
  }

  #open(): LensClient {
    if (this.#client !== null && this.store.get().state === 'open') return this.#client;
    throw new LensError('invalid', 'No directory is open.');
  }

  async #long<Result>(
    what: LensWork['what'],
    run: (onProgress: OnProgress) => Promise<Result>,
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

/** A failure without a kind means that a part of the page did not load. */
const notLoaded = (message: string): LensFailure => ({ kind: 'unserved', message });

/** Those of `found` that are not among `known`. */
function without<Found>(known: readonly unknown[], found: readonly Found[]): Found[] {
  if (found.length === 0) return [];
  const texts = new Set(known.map((one) => JSON.stringify(one)));
  return found.filter((one) => !texts.has(JSON.stringify(one)));
}
