// The worker's side of the protocol: owns engine and files, answers requests one after the other, in
// slices short enough that `cancel` and `pause` always come through.

import type { Failure, OutputLine, View } from '../model/engine.generated';
import { packed, unpacked } from '../share/zip';
import { Asked, Files } from './files';
import { type Directory, type Handle, messageOf } from './opfs';
import type { ForeignFile, Message, PlayGrain, Request, StorageKind } from './protocol';
import { SLICE, Slices } from './slices';
import { ProtocolError, parseRequest } from './validate';
import {
  type Blocked,
  type Engine,
  type Failed,
  type Opened,
  Refused,
  type Settings,
  type Stepped,
  type Surroundings,
  type Wasm,
} from './wasm';

export type { Claim, Surroundings, Wasm } from './wasm';

/** [ms] Between two batches of events, unless a command has ended. */
const BATCH_PAUSE = 50;
/** [ms] Between two progress messages. */
const PROGRESS_PAUSE = 100;
/** Play, when `play` was typed and no button has set another pace. */
const PLAY_DEFAULT: Play = { grain: 'phase', stepsPerSecond: 8 };

type Asking = Request & { type: 'command' };

/** How a command ended. */
interface Ended {
  result: unknown;
  error: Failure | null;
}

/** Lines that no request has caused belong to this one: requests count from 1. */
const PLAYED = 0;

interface Play {
  readonly grain: PlayGrain;
  readonly stepsPerSecond: number;
}

export class EngineHost<H extends Handle> {
  readonly #around: Surroundings<H>;
  readonly #queue: Request[] = [];
  #wake: (() => void) | null = null;
  #lastId = -1;
  #wasm: Wasm<H> | null = null;
  #engine: Engine | null = null;
  #files: Files<H> | null = null;
  #dead = false;
  #lost = false;
  #cancelled = false;
  #busy = false;
  #play: Play | null = null;
  #pace: Play = PLAY_DEFAULT;
  #nextStepAt = 0;
  #nextBatchAt = 0;
  readonly #slices: Slices;
  #settings = '';

  constructor(around: Surroundings<H>) {
    this.#around = around;
    this.#slices = new Slices(() => around.now());
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
      if (this.#engine !== null) await this.#files?.tidy(this.#engine);
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
      case 'fork': {
        const line = request.step === null ? 'fork' : `fork ${request.step}`;
        await this.#command({ id: request.id, line, quiet: true, at: null });
        return;
      }
      case 'branch':
        await this.#command({
          ...request,
          line: `branch ${request.branch}`,
          quiet: true,
          at: null,
        });
        return;
      case 'window':
        await this.#window(request);
        return;
      case 'files':
        await this.#openFiles(request);
        return;
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
    let directory: Directory<H> | null = null;
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
        directory = claim.directory;
        const identity = crypto.getRandomValues(new Uint8Array(16));
        wasm.beginDirectory(await directory.names(), identity);
      }
    }
    const files = new Files<H>(wasm, directory);
    this.#files = files;
    const engine = new wasm.Engine(storage);
    const { preset, settings } = request;
    try {
      const text = JSON.stringify({ preset, settings });
      await files.unblocked(() => JSON.parse(engine.open(text)) as Opened | Blocked | Failed);
      await directory?.lock();
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
    this.#tellNews(engine);
  }

  async #command(request: Pick<Asking, 'id' | 'line' | 'quiet' | 'at'>): Promise<void> {
    const engine = this.#opened();
    const { id, line, quiet, at } = request;
    if (at === null) engine.start(line, quiet);
    else engine.startAt(line, at);
    const { result, error } = await this.#drive(engine, quiet ? null : id, id);
    this.#around.send({ type: 'done', id, result, error });
  }

  async #window({ id, from, to, details }: Request & { type: 'window' }): Promise<void> {
    const engine = this.#opened();
    engine.startWindow(from, to, details);
    const { error } = await this.#drive(engine, null, id);
    const window = engine.takeWindow();
    if (error !== null) throw new Refused(error);
    if (window === undefined) throw new Error('a window without events');
    this.#around.send({ ...JSON.parse(window), id } as Message);
  }

  /** Opens files to be looked at; of an archive, those that are in it. */
  async #openFiles({ id, files }: Request & { type: 'files' }): Promise<void> {
    const engine = this.#opened();
    for (const { name, bytes } of unpacked(files)) engine.offerFile(name, bytes);
    engine.startFiles();
    const { result, error } = await this.#drive(engine, id, id);
    this.#around.send({ type: 'done', id, result, error });
  }

  /** Hands over what `export` has read: one file as it is, several as an archive. */
  #save(engine: Engine, name: string): void {
    const files: ForeignFile[] = [];
    for (let file = engine.takeExported(); file; file = engine.takeExported()) {
      files.push({ name: file.name, bytes: Uint8Array.from(file.bytes) });
      file.free();
    }
    const [only] = files;
    const isOne = files.length === 1 && only !== undefined && !name.endsWith('.zip');
    const bytes = isOne ? only.bytes : packed(files.reverse());
    this.#around.send({ type: 'exported', name, bytes });
  }

  #opened(): Engine {
    if (this.#engine === null) throw new Refused(closed);
    return this.#engine;
  }

  /**
   * Runs what the engine has begun to its end, slice by slice. Lines are output of the request `output`,
   * progress of the request `id`; `null`: nobody sees them.
   */
  async #drive(engine: Engine, output: number | null, id: number | null): Promise<Ended> {
    const say = (lines: OutputLine[]) => {
      if (output !== null && lines.length > 0) {
        this.#around.send({ type: 'output', id: output, lines });
      }
    };
    let progressAt = this.#around.now() + PROGRESS_PAUSE;
    let failure: Failure | null = null;
    const asked = new Asked();
    for (;;) {
      if (this.#cancelled) engine.cancel();
      const progress = this.#slices.advance(engine);
      say(progress.lines);
      try {
        if (progress.save !== null) this.#save(engine, progress.save);
      } catch (error) {
        failure = failureOf(error);
        engine.cancel();
      }
      if (progress.pick) this.#around.send({ type: 'pick' });
      if (progress.play !== null) this.#setPlay(progress.play ? this.#pace : null);
      switch (progress.state) {
        case 'blocked':
          try {
            asked.count(progress.file);
            await this.#files?.open(progress.file);
          } catch (error) {
            failure = failureOf(error);
            engine.cancel();
          }
          break;
        case 'more':
          asked.reset();
          if (id !== null && this.#around.now() >= progressAt) {
            progressAt = this.#around.now() + PROGRESS_PAUSE;
            const { done, total, label } = progress;
            this.#around.send({ type: 'progress', id, done, total, label });
          }
          // News are about another branch then: its events come behind them.
          this.#tellNews(engine);
          break;
        default: {
          const [result, error] =
            progress.state === 'done' ? [progress.result, progress.error] : [null, null];
          this.#tellNews(engine);
          this.#flushEvents(true);
          this.#tellSettings(engine);
          return { result, error: failure ?? error };
        }
      }
      this.#flushEvents(progress.state === 'more' && progress.turns);
      await this.#files?.tidy(engine, { blocked: progress.state === 'blocked' });
      await this.#around.breathe();
      if (this.#lost) engine.cancel();
    }
  }

  /** Tells what changed with branches and breakpoints. */
  #tellNews(engine: Engine): void {
    for (const message of JSON.parse(engine.news()) as Message[]) {
      if (message.type === 'break') this.#flushEvents(true);
      this.#around.send(message);
    }
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
      const step = JSON.parse(engine.step(play.grain, count)) as Stepped;
      if (step.state === 'blocked') {
        blocked = true;
        try {
          await this.#files?.open(step.file);
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
      if (step.state === 'stopped') {
        this.#setPlay(null);
        await this.#drive(engine, PLAYED, null);
        break;
      }
      const taken = this.#around.now() - start;
      if (step.state === 'idle' || play.stepsPerSecond > 0 || taken > SLICE / 2) break;
      if (taken < SLICE / 4 && play.grain !== 'job') count = Math.min(count * 2, 256);
    }
    if (play.stepsPerSecond > 0) this.#nextStepAt = start + 1000 / play.stepsPerSecond;
    this.#flushEvents(play.stepsPerSecond > 0 && play.stepsPerSecond <= 20);
    await this.#files?.tidy(engine, { blocked });
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

  async #close(): Promise<void> {
    this.#setPlay(null);
    const engine = this.#engine;
    if (engine !== null) {
      await this.#files?.unblocked(() => JSON.parse(engine.close()) as { state: 'closed' });
      this.#flushEvents(true);
      this.#engine = null;
    }
    await this.#closeFiles();
  }

  async #closeFiles(): Promise<void> {
    const files = this.#files;
    this.#files = null;
    await files?.close();
    this.#around.release();
  }

  /** Another tab has asked for the database, or taken it. */
  async #giveUp(): Promise<void> {
    this.#lost = false;
    if (this.#files?.kept !== true) return;
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
    this.#files?.abandon();
    this.#files = null;
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

/** What a command failed with; anything but a refusal is a bug. */
function failureOf(error: unknown): Failure {
  if (!(error instanceof Refused)) throw error;
  return { kind: error.kind, message: error.message, hint: null };
}

const closed = { kind: 'closed', message: 'No database is open.' } as const;
