import type { Message, PlayGrain } from '../engine/protocol';
import type { Completion, Failure } from '../model/engine.generated';

/** How the page asks to open the database. */
export interface OpenRequest {
  preset: string;
  settings: Record<string, string>;
  storage: 'auto' | 'memory';
  takeOver?: boolean;
}

/** What a command came to. */
export interface Outcome {
  result: unknown;
  error: Failure | null;
}

/** The engine as the page sees it; the worker's client is one, tests have others. */
export interface Engine {
  open(request: OpenRequest): Promise<unknown>;
  command(line: string, options: { quiet: boolean }): Promise<Outcome>;
  complete(line: string, cursor: number): Promise<Completion[]>;
  play(grain: PlayGrain, stepsPerSecond: number): void;
  pause(): void;
  cancel(): void;
  on(listener: (message: Message) => void): () => void;
}
