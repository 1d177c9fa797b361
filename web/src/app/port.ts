import type {
  Answer,
  Answers,
  Completion,
  Failure,
  Message,
  PlayGrain,
  Query,
  Request,
} from '../model/engine.generated';
import type { ForeignFile } from '../share/foreign';

/** How the page asks to open the database. */
export type OpenRequest = Omit<Extract<Request, { type: 'open' }>, 'type'>;

/** The outcome of a command. */
export interface Outcome {
  answers: readonly Answer[];
  error: Failure | null;
}

/** The engine as the page sees it; the worker's client is one, tests have others. */
export interface EnginePort {
  open(request: OpenRequest): Promise<unknown>;
  /** `at`: answered by the past; only commands that change nothing. */
  command(line: string, at: number | null): Promise<Outcome>;
  /** A question, answered as of step `at` or of now; rejects with an `Error`. */
  query<Asked extends Query>(query: Asked, at: number | null): Promise<Answers[Asked['ask']]>;
  /** The events `from`..`to` of a branch again; `null`: of the current one. */
  window(
    branch: number | null,
    from: number,
    to: number,
    details: boolean,
  ): Promise<Extract<Message, { type: 'window' }>>;
  /** Opens files from outside, to be looked at. */
  openFiles(files: readonly ForeignFile[]): Promise<Outcome>;
  /** Plays the lesson that is written in a file. */
  playLesson(name: string, text: string): Promise<Outcome>;
  /** Plays a script that was shared, all of it or line by line. */
  playShared(text: string, runs: boolean): Promise<Outcome>;
  complete(line: string, cursor: number): Promise<Completion[]>;
  play(grain: PlayGrain, stepsPerSecond: number): void;
  pause(): void;
  cancel(): void;
  on(listener: (message: Message) => void): () => void;
}
