// The worker's side of the protocol: owns engine and files, answers requests one after the other, in
// slices short enough that `cancel` and `pause` always come through.

import type {
  Failure,
  OptionState,
  OutputLine,
  PresetState,
  View,
} from '../model/engine.generated';
import { type Directory, type Handle, messageOf, nameOf } from './opfs';
import type { Message, PlayGrain, Request, StorageKind } from './protocol';
import { ProtocolError, parseRequest } from './validate';

/** [ms] Longest stretch without listening. */
const SLICE = 12;
/** [ms] Between two batches of events, unless a command has ended. */
const BATCH_PAUSE = 50;
/** [ms] Between two progress messages. */
const PROGRESS_PAUSE = 100;
/** Operations tried in one call at first, and at most. */
const UNITS_FIRST = 32;
const UNITS_MAX = 1 << 14;
/** Tables kept open; each handle that was written through reserves at least 1 MiB of quota. */
const OPEN_TABLES_MAX = 64;
/** How often one call may ask for the same file before something must be wrong. */
const ASKED_MAX = 8;
/** Play, when `play` was typed and no button has set another pace. */
const PLAY_DEFAULT: Play = { grain: 'phase', stepsPerSecond: 8 };

interface Play {
  readonly grain: PlayGrain;
  readonly stepsPerSecond: number;
}

/** What wasm exports, as far as it is used here. */
export interface Wasm<H extends Handle> {
  Engine: new (place: string) => Engine;
  lastPanic(): string | undefined;
  beginDirectory(names: string[]): void;
  registerHandle(name: string, handle: H): void;
  isWanted(name: string): boolean;
  filesToRemove(): string[];
  handlesToClose(cap: number): string[];
  closeDirectory(): string[];
}

/** One console and its database; structured answers are JSON. */
export interface Engine {
  open(request: string): string;
  settings(): string;
  start(line: string, quiet: boolean): void;
  advance(units: number): string;
  cancel(): void;
  step(grain: string, count: number): string;
  wantDetails(wanted: boolean): void;
  events(checkpoint: boolean): string | undefined;
  hasWork(): boolean;
  filesWantedSoon(): string;
  complete(line: string, cursor: number): string;
  close(): string;
}

/** The outcome of claiming the files of the origin. */
export type Claim<H extends Handle> =
  | { state: 'mine'; directory: Directory<H>; persisted: boolean }
  | { state: 'owned' }
  /** The browser does not give any; `why` is a sentence. */
  | { state: 'denied'; why: string };

/** What the host needs from the place it runs in. */
export interface Surroundings<H extends Handle> {
  load(): Promise<Wasm<H>>;
  send(message: Message): void;
  /** Claims the files; `onLoss` runs when another tab takes them. */
  claim(takeOver: boolean, onLoss: () => void): Promise<Claim<H>>;
  /** Gives the claim back. */
  release(): void;
  /** Lets messages in. */
  breathe(): Promise<void>;
  /** [ms] */
  now(): number;
}

type Opened = { state: 'opened' };
type Blocked = { state: 'blocked'; file: string };
type Failed = { state: 'failed'; error: Failure };
type Settings = { options: OptionState[]; presets: PresetState[]; preset: string };
type Progressed = { lines: OutputLine[]; play: boolean | null } & (
  | { state: 'idle' }
  | { state: 'more'; done: number; total: number | null; label: string }
  | Blocked
  | { state: 'done'; result: unknown; error: Failure | null }
);

/** A failure to be told to the page, with its kind. */
class Refused extends Error {
  readonly kind: string;

  constructor({ kind, message }: Pick<Failure, 'kind' | 'message'>) {
    super(message);
    this.kind = kind;
  }
}

const fileErrors: Readonly<Record<string, string>> = {
  QuotaExceededError: 'outOfSpace',
  NoModificationAllowedError: 'locked',
};

export class EngineHost<H extends Handle> {
  readonly #around: Surroundings<H>;
  readonly #queue: Request[] = [];
  #wake: (() => void) | null = null;
  #lastId = -1;
  #wasm: Wasm<H> | null = null;
  #engine: Engine | null = null;
  #directory: Directory<H> | null = null;
  #dead = false;
  #lost = false;
  #cancelled = false;
  #busy = false;
  #play: Play | null = null;
  #pace: Play = PLAY_DEFAULT;
  #nextStepAt = 0;
  #nextBatchAt = 0;
  #units = UNITS_FIRST;
  #settings = '';

  constructor(around: Surroundings<H>) {
    this.#around = around;
    void this.#run();
  }

  /** Takes whatever the page has sent. */
  receive(data: unknown): void {
    let request: Request;
    try {
      request = parseRequest(data);
      if (request.id <= this.#lastId) throw new ProtocolError('the id was used before', request.id);
    } catch (error) {
      const id = error instanceof ProtocolError ? error.id : null;
      this.#fail(id, 'protocol', messageOf(error));
      return;
    }
    this.#lastId = request.id;
    if (this.#dead) {
      this.#fail(request.id, 'closed', 'The engine has stopped; reload the page.');
      return;
    }
    switch (request.type) {
      case 'cancel':
        this.#cancelled = this.#busy;
        return;
      case 'pause':
        this.#setPlay(null);
        return;
      case 'complete':
        this.#guard(() => this.#complete(request));
        return;
      default:
        this.#queue.push(request);
        this.#wake?.();
    }
  }

  /** Another tab has the database from now on: close, and say so. */
  lose(): void {
    this.#lost = true;
    this.#wake?.();
  }

  async #run(): Promise<void> {
    while (!this.#dead) {
      try {
        await this.#turn();
      } catch (error) {
        this.#die(error);
      }
    }
  }

  /** Does the next thing there is to do, or waits for one. */
  async #turn(): Promise<void> {
    if (this.#lost) {
      await this.#giveUp();
      return;
    }
    const request = this.#queue.shift();
    if (request !== undefined) {
      this.#busy = true;
      this.#cancelled = false;
      try {
        await this.#serve(request);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.#fail(request.id, error.kind, error.message);
      } finally {
        this.#busy = false;
      }
      await this.#tidy();
      return;
    }
    if (this.#play !== null && this.#engine?.hasWork() === true) {
      await this.#playOn(this.#engine, this.#play);
      return;
    }
    this.#flushEvents(true);
    await this.#sleep();
  }

  /** Until a request arrives, or for some time [ms]. */
  async #sleep(time?: number): Promise<void> {
    if (this.#queue.length > 0 || this.#lost) return;
    await new Promise<void>((resolve) => {
      const timer = time === undefined ? null : setTimeout(resolve, time);
      this.#wake = () => {
        if (timer !== null) clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }

  async #serve(request: Request): Promise<void> {
    switch (request.type) {
      case 'open':
        await this.#open(request);
        return;
      case 'command':
        await this.#command(request);
        return;
      case 'window':
      case 'fork':
      case 'branch':
        throw new Refused(pastless);
      case 'play':
        if (this.#engine === null) throw new Refused(closed);
        this.#pace = { grain: request.grain, stepsPerSecond: request.stepsPerSecond };
        this.#setPlay(this.#pace);
        return;
      case 'close':
        await this.#close();
        this.#around.send({ type: 'closed', id: request.id });
        return;
      default:
        throw new Refused({ kind: 'protocol', message: 'This request is not queued.' });
    }
  }

  async #open(request: Request & { type: 'open' }): Promise<void> {
    await this.#close();
    this.#wasm ??= await this.#around.load();
    const wasm = this.#wasm;
    let why: string | null = null;
    let persisted = false;
    let storage: StorageKind = 'memory';
    if (request.storage === 'auto') {
      const claim = await this.#around.claim(request.takeOver === true, () => this.lose());
      if (claim.state === 'owned') {
        this.#around.send({ type: 'owned', id: request.id });
        return;
      }
      if (claim.state === 'denied') why = claim.why;
      else {
        storage = 'opfs';
        persisted = claim.persisted;
        this.#directory = claim.directory;
        wasm.beginDirectory(await claim.directory.names());
      }
    }
    const engine = new wasm.Engine(storage);
    const { preset, settings } = request;
    try {
      const text = JSON.stringify({ preset, settings });
      await this.#unblocked(() => JSON.parse(engine.open(text)) as Opened | Blocked | Failed);
    } catch (error) {
      await this.#closeFiles();
      throw error;
    }
    this.#engine = engine;
    this.#settings = engine.settings();
    const current = JSON.parse(this.#settings) as Settings;
    const recovery = engine.events(true);
    if (recovery === undefined) throw new Error('an open database has no view');
    const events = JSON.parse(recovery) as Message & { type: 'events' };
    const view = events.view as View;
    const { id } = request;
    this.#around.send({ type: 'opened', id, storage, why, view, ...current, persisted });
    this.#around.send(events);
  }

  async #command({ id, line, quiet, at }: Request & { type: 'command' }): Promise<void> {
    const engine = this.#engine;
    if (engine === null) throw new Refused(closed);
    if (at !== null) throw new Refused(pastless);
    const say = (lines: OutputLine[]) => {
      if (!quiet && lines.length > 0) this.#around.send({ type: 'output', id, lines });
    };
    engine.start(line, quiet);
    let progressAt = this.#around.now() + PROGRESS_PAUSE;
    let failure: Failure | null = null;
    const asked = new Asked();
    for (;;) {
      if (this.#cancelled) engine.cancel();
      const progress = this.#advance(engine);
      say(progress.lines);
      if (progress.play !== null) this.#setPlay(progress.play ? this.#pace : null);
      switch (progress.state) {
        case 'blocked':
          try {
            asked.count(progress.file);
            await this.#openFile(progress.file);
          } catch (error) {
            if (!(error instanceof Refused)) throw error;
            failure = { kind: error.kind, message: error.message, hint: null };
            engine.cancel();
          }
          break;
        case 'more':
          asked.reset();
          if (this.#around.now() >= progressAt) {
            progressAt = this.#around.now() + PROGRESS_PAUSE;
            const { done, total, label } = progress;
            this.#around.send({ type: 'progress', id, done, total, label });
          }
          break;
        default: {
          const [result, error] =
            progress.state === 'done' ? [progress.result, progress.error] : [null, null];
          this.#flushEvents(true);
          this.#tellSettings(engine);
          this.#around.send({ type: 'done', id, result, error: failure ?? error });
          return;
        }
      }
      this.#flushEvents(false);
      await this.#tidy({ blocked: progress.state === 'blocked' });
      await this.#around.breathe();
      if (this.#lost) engine.cancel();
    }
  }

  /** One slice of the command at work; stops early when there is something to tell. */
  #advance(engine: Engine): Progressed {
    const start = this.#around.now();
    const lines: OutputLine[] = [];
    let play: boolean | null = null;
    for (;;) {
      const before = this.#around.now();
      const progress = JSON.parse(engine.advance(this.#units)) as Progressed;
      const after = this.#around.now();
      this.#adapt(after - before);
      for (const line of progress.lines) lines.push(line);
      play = progress.play ?? play;
      if (progress.state !== 'more' || after - start > SLICE / 2) {
        return { ...progress, lines, play };
      }
    }
  }

  /** Aims at calls of a few milliseconds. */
  #adapt(taken: number): void {
    if (taken > SLICE / 3) this.#units = Math.max(1, this.#units >> 1);
    else if (taken < SLICE / 12) this.#units = Math.min(UNITS_MAX, this.#units * 2);
  }

  async #playOn(engine: Engine, play: Play): Promise<void> {
    const start = this.#around.now();
    if (play.stepsPerSecond > 0 && start < this.#nextStepAt) {
      this.#flushEvents(true);
      await this.#sleep(this.#nextStepAt - start);
      return;
    }
    let count = 1;
    let blocked = false;
    for (;;) {
      const step = JSON.parse(engine.step(play.grain, count)) as
        | { state: 'idle' | 'more' }
        | Blocked
        | Failed;
      if (step.state === 'blocked') {
        blocked = true;
        try {
          await this.#openFile(step.file);
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          this.#stopPlay(error);
        }
        break;
      }
      if (step.state === 'failed') {
        this.#stopPlay(new Refused(step.error));
        break;
      }
      const taken = this.#around.now() - start;
      if (step.state === 'idle' || play.stepsPerSecond > 0 || taken > SLICE / 2) break;
      if (taken < SLICE / 4 && play.grain !== 'job') count = Math.min(count * 2, 256);
    }
    if (play.stepsPerSecond > 0) this.#nextStepAt = start + 1000 / play.stepsPerSecond;
    this.#flushEvents(play.stepsPerSecond > 0 && play.stepsPerSecond <= 20);
    await this.#tidy({ blocked });
    await this.#around.breathe();
  }

  #stopPlay(error: Refused): void {
    this.#setPlay(null);
    this.#flushEvents(true);
    this.#fail(null, error.kind, error.message);
  }

  #setPlay(play: Play | null): void {
    const changed = (play === null) !== (this.#play === null);
    this.#play = play;
    this.#nextStepAt = 0;
    this.#engine?.wantDetails(play?.grain === 'entry');
    if (changed) this.#around.send({ type: 'playing', playing: play !== null });
    this.#wake?.();
  }

  #complete({ id, line, cursor }: Request & { type: 'complete' }): void {
    const items = this.#engine === null ? [] : JSON.parse(this.#engine.complete(line, cursor));
    this.#around.send({ type: 'completions', id, items });
  }

  /** Sends the events since the last batch; `always`: also when the last one was only just sent. */
  #flushEvents(always: boolean): void {
    const now = this.#around.now();
    if (this.#engine === null || (!always && now < this.#nextBatchAt)) return;
    const batch = this.#engine.events(false);
    if (batch === undefined) return;
    this.#nextBatchAt = now + BATCH_PAUSE;
    this.#around.send(JSON.parse(batch) as Message);
  }

  #tellSettings(engine: Engine): void {
    const settings = engine.settings();
    if (settings === this.#settings) return;
    this.#settings = settings;
    const { options, preset } = JSON.parse(settings) as Settings;
    this.#around.send({ type: 'options', options, preset });
  }

  /** Calls again and again, opening the files asked for in between. */
  async #unblocked<T extends { state: string }>(call: () => T | Blocked | Failed): Promise<void> {
    const asked = new Asked();
    for (;;) {
      const answer = call();
      if (answer.state === 'failed') throw new Refused((answer as Failed).error);
      if (answer.state !== 'blocked') return;
      const { file } = answer as Blocked;
      asked.count(file);
      await this.#openFile(file);
    }
  }

  async #openFile(name: string): Promise<void> {
    const [wasm, directory] = [this.#wasm, this.#directory];
    if (wasm === null || directory === null) {
      throw new Refused({ kind: 'io', message: `There is no place for ${name}.` });
    }
    try {
      await this.#removeDeleted(wasm, directory);
      if (wasm.isWanted(name)) wasm.registerHandle(name, await directory.open(name));
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      const kind = fileErrors[nameOf(error)] ?? 'io';
      throw new Refused({ kind, message: `${name} cannot be opened: ${messageOf(error)}` });
    }
  }

  async #removeDeleted(wasm: Wasm<H>, directory: Directory<H>): Promise<void> {
    const names = wasm.filesToRemove();
    directory.forget(names);
    for (const name of names) await directory.remove(name);
  }

  /** Between requests: removes what was deleted, closes cold tables, opens ahead what comes next. */
  async #tidy({ blocked = false } = {}): Promise<void> {
    const [wasm, directory, engine] = [this.#wasm, this.#directory, this.#engine];
    if (wasm === null || directory === null || engine === null) return;
    try {
      await this.#removeDeleted(wasm, directory);
      // A call that was blocked may need more tables at once than are kept: let it have them.
      if (!blocked) directory.forget(wasm.handlesToClose(OPEN_TABLES_MAX));
      for (const name of JSON.parse(engine.filesWantedSoon()) as string[]) {
        if (wasm.isWanted(name)) wasm.registerHandle(name, await directory.open(name));
      }
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      // Whoever needs the file will ask for it by name, and then the failure is told.
    }
  }

  async #close(): Promise<void> {
    this.#setPlay(null);
    const engine = this.#engine;
    if (engine !== null) {
      await this.#unblocked(() => JSON.parse(engine.close()) as { state: 'closed' });
      this.#flushEvents(true);
      this.#engine = null;
    }
    await this.#closeFiles();
  }

  async #closeFiles(): Promise<void> {
    const [wasm, directory] = [this.#wasm, this.#directory];
    this.#directory = null;
    if (wasm !== null && directory !== null) {
      const leftovers = [...wasm.filesToRemove(), ...wasm.closeDirectory()];
      for (const name of leftovers) await directory.remove(name).catch(() => undefined);
      directory.closeAll();
    }
    this.#around.release();
  }

  /** Another tab has asked for the database, or taken it. */
  async #giveUp(): Promise<void> {
    this.#lost = false;
    if (this.#directory === null) return;
    try {
      await this.#close();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#engine = null;
      await this.#closeFiles();
    }
    this.#around.send({ type: 'lost' });
  }

  #fail(id: number | null, kind: string, message: string): void {
    this.#around.send({ type: 'failed', id, kind, message });
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#die(error);
    }
  }

  /** A bug: nothing is written any more, handles are closed, the files are read back at the next start. */
  #die(error: unknown): void {
    this.#dead = true;
    this.#engine = null;
    this.#directory?.closeAll();
    this.#directory = null;
    this.#around.release();
    let panic: string | undefined;
    try {
      panic = this.#wasm?.lastPanic();
    } catch {
      // The message is a courtesy.
    }
    this.#fail(null, 'panic', panic ?? messageOf(error));
    for (const { id } of this.#queue.splice(0)) {
      this.#fail(id, 'closed', 'The engine has stopped; reload the page.');
    }
  }
}

const pastless = { kind: 'unavailable', message: 'The past cannot be asked yet.' } as const;
const closed = { kind: 'closed', message: 'No database is open.' } as const;

/** Counts how often a call asked for the same file: the second time it should be there. */
class Asked {
  readonly #times = new Map<string, number>();

  count(file: string): void {
    const times = (this.#times.get(file) ?? 0) + 1;
    this.#times.set(file, times);
    if (times > ASKED_MAX) {
      throw new Refused({ kind: 'io', message: `${file} was opened, but is still not there.` });
    }
  }

  reset(): void {
    this.#times.clear();
  }
}
