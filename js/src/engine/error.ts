// Errors with the codes of abstract-level, and where in the files they happened.

/** The codes for kinds of errors of the engine; those not named here are errors of its storage. */
const CODES: Readonly<Record<string, string>> = {
  invalidArgument: 'LEVEL_INVALID_ARGUMENT',
  notFound: 'LEVEL_NOT_FOUND',
  locked: 'LEVEL_LOCKED',
  corruption: 'LEVEL_CORRUPTION',
  unsupportedFormat: 'LEVEL_NOT_SUPPORTED',
  readOnly: 'LEVEL_READONLY',
  closed: 'LEVEL_DATABASE_NOT_OPEN',
  conflict: 'LEVELSCOPE_CONFLICT',
  lost: 'LEVEL_CONNECTION_LOST',
  unsupported: 'LEVEL_NOT_SUPPORTED',
  wouldBlock: 'LEVELSCOPE_BLOCKED',
};

/** The fields of an error, as plain data that can travel between threads. */
export interface Trouble {
  readonly kind: string;
  readonly message: string;
  /** The file that is concerned. */
  readonly file?: string | undefined;
  /** Offset in this file [bytes]. */
  readonly offset?: number | undefined;
}

/** An error of the engine, of its storage, or of the way to it. */
export class LevelscopeError extends Error {
  /**
   * The code for programs: `LEVEL_LOCKED`, `LEVEL_CORRUPTION`, `LEVEL_READONLY`, `LEVEL_IO_ERROR`, `LEVEL_NOT_FOUND`,
   * `LEVEL_INVALID_ARGUMENT`, `LEVEL_NOT_SUPPORTED`, `LEVEL_CONNECTION_LOST`, `LEVEL_DATABASE_NOT_OPEN`, or
   * `LEVELSCOPE_BLOCKED`: `getSync` needs a file that a browser opens only while it is waited for; `await get()` opens it.
   */
  readonly code: string;
  /** The engine's own word: `corruption`, `outOfSpace`, `locked` … */
  readonly kind: string;
  /** The file of the database that is concerned, if there is one. */
  readonly file: string | undefined;
  /** The offset in it [bytes], if there is one. */
  readonly offset: number | undefined;

  /** @internal */
  constructor({ kind, message, file, offset }: Trouble) {
    super(message);
    this.name = 'LevelscopeError';
    this.code = CODES[kind] ?? 'LEVEL_IO_ERROR';
    this.kind = kind;
    this.file = file;
    this.offset = offset;
  }
}

/** The error of a call to a closed database. */
export const notOpen = () =>
  new LevelscopeError({ kind: 'closed', message: 'the database is not open' });

/** An exception of the engine's module. */
interface Thrown {
  readonly kind?: unknown;
  readonly message?: unknown;
  readonly file?: unknown;
  readonly offset?: unknown;
  readonly blocked?: unknown;
}

const fields = (thrown: unknown): Thrown =>
  typeof thrown === 'object' && thrown !== null ? thrown : {};

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The file that has to be opened before the same call is made again. */
export const blockedOn = (thrown: unknown) => text(fields(thrown).blocked);

/** Whether writes wait for background work. */
export const isStalled = (thrown: unknown) => fields(thrown).kind === 'stalled';

/** A thrown value as plain data. */
export function troubleOf(thrown: unknown): Trouble {
  const { kind, message, file, offset } = fields(thrown);
  return {
    // An exception that the engine did not make is a bug in it: WebAssembly stopped.
    kind: text(kind) ?? 'internal',
    message: text(message) ?? String(thrown),
    file: text(file),
    offset: typeof offset === 'number' ? offset : undefined,
  };
}

/** The error of an opening; where there must be a database, its absence gets the words of `abstract-level`. */
export function openingError(thrown: unknown, createIfMissing: boolean): Error {
  const trouble = troubleOf(thrown);
  if (createIfMissing || trouble.kind !== 'notFound') return errorOf(thrown);
  const message = `the database does not exist: ${trouble.message}`;
  return new LevelscopeError({ ...trouble, message });
}

/** A thrown value as an error for the program. */
export function errorOf(thrown: unknown): Error {
  if (thrown instanceof LevelscopeError) return thrown;
  const error = new LevelscopeError(troubleOf(thrown));
  if (thrown instanceof Error && error.kind === 'internal') error.cause = thrown;
  return error;
}
