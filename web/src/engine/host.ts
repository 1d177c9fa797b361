// The worker's side of the protocol: owns engine and files, answers requests one after the other, in
// slices short enough that `cancel` and `pause` always come through.

import type { PlayChange, Request, View, Wanted } from '../model/engine.generated';
import { EngineError, engineError, messageOf } from '../model/failures';
import { Driver } from './drive';
import { Files, open, unblocked } from './files';
import { KeptHistory } from './keptHistory';
import { PLAY_DEFAULT, type Play, playSome } from './play';
import { Reporter } from './reporter';
import { IN_MEMORY, STOPPED, type Surroundings, type Wasm, type WasmEngine } from './wasm';
import { type Arrival, arrivalOf, type Parcel } from './wire';

/** The id of lines without a request: ids of requests begin at 1. */
const PLAYED = 0;

type Of<Type extends Request['type']> = Extract<Request, { type: Type }>;

export class EngineHost {
  readonly #queue: Arrival[] = [];
  #wake: (() => void) | null = null;
  #wasm: Wasm | null = null;
  #engine: WasmEngine | null = null;
  /** `null`: the database is in memory, or closed. */
  #files: Files | null = null;
  #history: KeptHistory | null = null;
  #dead = false;
  #lost = false;
  #serving: number | null = null;
  /** The requests that a stop concerns: the one at work (`#serving`), and commands that had come. */
  #stopped: number[] = [];
  #play: Play | null = null;
  #pace: Play = PLAY_DEFAULT;
  #nextStepAt = 0;
  readonly #reporter: Reporter;
  readonly #driver: Driver;

  constructor(private readonly around: Surroundings) {
    this.#reporter = new Reporter(around);
    this.#driver = new Driver({
      around,
      reporter: this.#reporter,
      files: () => this.#files,
      lend: (wanted) => this.#lend(wanted),
      isCancelled: () => this.#serving !== null && this.#stopped.includes(this.#serving),
      isLost: () => this.#lost,
      changePlay: (change) => this.#changePlay(change),
    });
    void this.#run();
  }

  /** Takes what the page has sent. */
  receive(parcel: Parcel): void {
    if (this.#dead) {
      this.#fail(null, 'closed', STOPPED);
      return;
    }
    try {
      this.#take(parcel);
    } catch (error) {
      this.#die(error);
    }
  }

  #take(parcel: Parcel): void {
    const arrival = arrivalOf(parcel);
    const { id, request } = arrival;
    switch (request.type) {
      case 'cancel':
        this.#stopped = [...this.#queue.filter(isCommand).map(({ id }) => id), this.#serving ?? -1];
        return;
      case 'pause':
        this.#setPlay(null);
        return;
      case 'complete':
        this.#complete(id, request);
        return;
      default:
        this.#queue.push(arrival);
        this.#wake?.();
    }
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

  /** Does the next task, or waits for one. */
  async #turn(): Promise<void> {
    if (this.#lost) return this.#giveUp();
    const arrival = this.#queue.shift();
    if (arrival !== undefined) {
      this.#serving = arrival.id;
      try {
        await this.#serve(arrival);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        this.#fail(arrival.id, error.kind, error.message);
      } finally {
        this.#serving = null;
      }
      this.#files?.closeCold();
      if (this.#engine !== null) this.#history?.keep(this.#engine);
      return;
    }
    if (this.#play !== null && this.#engine?.hasWork() === true) {
      return this.#playOn(this.#engine, this.#play);
    }
    this.#flushEvents(true);
    if (this.#engine !== null) this.#history?.keep(this.#engine);
    await this.#sleep();
  }

  /** Waits until a request arrives, or for some time [ms]. */
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

  async #serve(arrival: Arrival): Promise<void> {
    const { id, request } = arrival;
    switch (request.type) {
      case 'open':
        return this.#open(arrival, request);
      case 'command':
      case 'files':
      case 'lesson':
      case 'shared':
        return this.#work(arrival, id);
      case 'query':
        return this.#work(arrival, null);
      case 'window':
        return this.#window(arrival);
      case 'play':
        this.#opened();
        this.#pace = { grain: request.grain, stepsPerSecond: request.stepsPerSecond };
        this.#setPlay(this.#pace);
        return;
      case 'close':
        await this.#close();
        this.around.send({ type: 'closed', id });
        return;
      default:
        throw new EngineError('protocol', 'This request is not queued.');
    }
  }

  async #open({ id, text }: Arrival, { storage: wish, takeOver }: Of<'open'>): Promise<void> {
    await this.#close();
    this.#wasm ??= await this.around.load();
    const wasm = this.#wasm;
    const claim = () =>
      // Another tab has the database from now on: close and report it.
      this.around.claim(takeOver, () => {
        this.#lost = true;
        this.#wake?.();
      });
    const place = wish === 'auto' ? await claim() : IN_MEMORY;
    if (place === 'owned') {
      this.around.send({ type: 'owned', id });
      return;
    }
    const { home, why, persisted } = place;
    const storage = home === null ? 'memory' : 'opfs';
    const files = home && (await Files.of(wasm, home.directory, this.around.breathe));
    this.#files = files;
    const engine = new wasm.Engine(storage);
    const history = new KeptHistory(home);
    this.#history = history;
    const past = await history.begin(engine, this.around.version);
    try {
      await unblocked(files, () => engine.open(text));
      await home?.lock();
      await files?.settle();
    } catch (error) {
      await this.#closeFiles();
      throw error;
    }
    this.#engine = engine;
    const recovery = engine.events(true);
    if (recovery === undefined) throw new Error('an open database has no view');
    const { view } = JSON.parse(recovery) as { view: View };
    const kept = { step: past.steps, isHistoryKept: await history.write(engine) };
    const state = { ...this.#reporter.begin(engine), ...kept, view };
    this.around.send({ type: 'opened', id, storage, why, persisted, ...state });
    this.around.send(recovery);
    this.#reporter.news(engine);
    if (past.why !== undefined) this.#reporter.print(PLAYED, past.why);
    if (past.branches === 0) return;
    engine.beginReturning();
    await this.#driver.run(engine, { output: PLAYED, progress: null });
  }

  /** Runs a command or a query, or imports files. `output`: where lines go. */
  async #work({ id, text, files }: Arrival, output: number | null): Promise<void> {
    const engine = this.#opened();
    for (const { name, bytes } of files) engine.offerFile(name, bytes);
    this.#begin(engine, text);
    const { answers, error } = await this.#driver.run(engine, { output, progress: id });
    this.around.send({ type: 'done', id, answers, error });
  }

  async #window({ id, text }: Arrival): Promise<void> {
    const engine = this.#opened();
    this.#begin(engine, text);
    const { error } = await this.#driver.run(engine, { output: null, progress: id });
    const window = engine.takeWindow();
    if (error !== null) throw engineError(error);
    if (window === undefined) throw new Error('a window without events');
    this.around.send(window);
  }

  /** Begins a request; a text that is too long, or too many files, the engine refuses. */
  #begin(engine: WasmEngine, text: string): void {
    const why = engine.begin(text);
    if (why !== undefined) throw engineError(JSON.parse(why));
  }

  async #lend(wanted: Wanted): Promise<void> {
    try {
      if (wanted === 'labs') this.#wasm?.lendLabs(await this.around.loadLabs());
      else this.#wasm?.lendLessons(await this.around.loadLessons());
    } catch (error) {
      const what = wanted === 'labs' ? 'experiments' : 'lessons';
      const why = `The ${what} could not be fetched (${messageOf(error)})`;
      throw new EngineError('io', `${why}: go online, then run the command again.`);
    }
  }

  #opened(): WasmEngine {
    if (this.#engine === null) throw new EngineError('closed', 'No database is open.');
    return this.#engine;
  }

  async #playOn(engine: WasmEngine, play: Play): Promise<void> {
    const start = this.around.now();
    if (play.stepsPerSecond > 0 && start < this.#nextStepAt) {
      this.#flushEvents(true);
      await this.#sleep(this.#nextStepAt - start);
      return;
    }
    const step = playSome(engine, play, () => this.around.now());
    if (step.state === 'failed') this.#stopPlay(engineError(step.error));
    await this.#serveFiles(step.state === 'blocked' ? step.file : null);
    if (step.state === 'stopped') {
      this.#setPlay(null);
      await this.#driver.run(engine, { output: PLAYED, progress: null });
    }
    if (play.stepsPerSecond > 0) this.#nextStepAt = start + 1000 / play.stepsPerSecond;
    this.#flushEvents(play.stepsPerSecond > 0 && play.stepsPerSecond <= 20);
    if (step.state !== 'blocked') this.#files?.closeCold();
    this.#history?.keepSometimes(engine, this.around.now());
    await this.around.breathe();
  }

  /** Settles the files and opens `blocked`; Play ends where that fails. */
  async #serveFiles(blocked: string | null): Promise<void> {
    try {
      await this.#files?.settle();
      if (blocked !== null) await open(this.#files, blocked);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#stopPlay(error);
    }
  }

  #stopPlay(error: EngineError): void {
    this.#setPlay(null);
    this.#flushEvents(true);
    this.#fail(null, error.kind, error.message);
  }

  /** A command has changed Play; without a speed it goes on as fast as before. */
  #changePlay(change: PlayChange): void {
    if (change.play === 'on') {
      const stepsPerSecond = change.stepsPerSecond ?? this.#pace.stepsPerSecond;
      this.#pace = { ...this.#pace, stepsPerSecond };
    }
    this.#setPlay(change.play === 'on' ? this.#pace : null);
  }

  #setPlay(play: Play | null): void {
    const stepsPerSecond = play?.stepsPerSecond ?? null;
    const changed = stepsPerSecond !== (this.#play?.stepsPerSecond ?? null);
    this.#play = play;
    this.#nextStepAt = 0;
    if (changed) this.around.send({ type: 'playing', playing: play !== null, stepsPerSecond });
    this.#wake?.();
  }

  #complete(id: number, { line, cursor }: Of<'complete'>): void {
    const items = this.#engine === null ? [] : JSON.parse(this.#engine.complete(line, cursor));
    this.around.send({ type: 'completions', id, items });
  }

  #flushEvents(always: boolean): void {
    if (this.#engine !== null) this.#reporter.events(this.#engine, always);
  }

  async #close(): Promise<void> {
    this.#setPlay(null);
    const engine = this.#engine;
    if (engine !== null) await unblocked(this.#files, () => engine.close());
    this.#engine = null;
    try {
      await this.#files?.settle();
    } finally {
      if (engine !== null) this.#reporter.events(engine, true);
      if (engine !== null) this.#history?.keep(engine);
      await this.#closeFiles();
    }
  }

  async #closeFiles(): Promise<void> {
    const files = this.#files;
    this.#files = null;
    this.#history?.close();
    this.#history = null;
    await files?.close();
    this.around.release();
  }

  /** Another tab has asked for the database, or taken it. */
  async #giveUp(): Promise<void> {
    this.#lost = false;
    if (this.#files === null) return;
    try {
      await this.#close();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#engine = null;
      await this.#closeFiles();
    }
    this.around.send({ type: 'lost' });
  }

  #fail(id: number | null, kind: string, message: string): void {
    this.around.send({ type: 'failed', id, kind, message });
  }

  /** A bug: nothing is written any more, handles are closed, the files are read back at the next start. */
  #die(error: unknown): void {
    this.#dead = true;
    this.#engine = null;
    this.#history?.close();
    this.#history = null;
    this.#files?.abandon();
    this.#files = null;
    this.around.release();
    let panic: string | undefined;
    try {
      panic = this.#wasm?.lastPanic();
    } catch {
      // The page can do without the message.
    }
    this.#fail(null, 'panic', panic ?? messageOf(error));
    for (const { id } of this.#queue.splice(0)) {
      this.#fail(id, 'closed', STOPPED);
    }
  }
}

const isCommand = ({ request }: Arrival) => request.type === 'command';
