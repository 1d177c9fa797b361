import type { Failure } from '../../model/engine.generated';

/** Asks the engine without a trace in the terminal. */
export type Ask = (command: string) => Promise<{ result: unknown; error: Failure | null }>;
