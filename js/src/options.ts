// Options of the engine, by the names that users of LevelDB in JavaScript know.

import { LevelscopeError } from './engine/error';

/** Options of the engine. Those with a name in classic-level have it here, too. */
export interface EngineOptions {
  /**
   * Compresses blocks with Snappy; a block that would shrink by less than an eighth stays as it is. Default: `true`.
   * `false` saves time where values are compressed already, such as pictures.
   */
  readonly compression?: boolean | undefined;
  /**
   * Memory for decompressed blocks [bytes], for this database alone. Default: 16 MiB (`16 * 1024 * 1024`).
   * Data that is read often and fits in it needs no reads from files.
   */
  readonly cacheSize?: number | undefined;
  /**
   * Size at which the writes in memory become a table [bytes]. Default: 4 MiB. A larger one compacts less, takes more
   * memory, and makes opening slower, because opening reads the log again.
   */
  readonly writeBufferSize?: number | undefined;
  /**
   * Size of a block of a table before compression [bytes]. Default: 4 KiB. A lookup reads one block: smaller blocks suit
   * lookups of short values, larger ones scans and compression.
   */
  readonly blockSize?: number | undefined;
  /**
   * Keys of a block from one that is stored whole to the next [keys]. Default: 16. More save bytes where keys share their
   * beginnings, and a lookup compares more keys.
   */
  readonly blockRestartInterval?: number | undefined;
  /**
   * Most tables that are open at a time [tables]. Default: 500, about 1 GB of data. Each has its index and filter in
   * memory. In a larger database with too few, reads open tables again.
   */
  readonly maxOpenFiles?: number | undefined;
  /**
   * Size of the tables that compactions write [bytes]. Default: 2 MiB. Larger ones are fewer files, and each compaction
   * rewrites more at once.
   */
  readonly maxFileSize?: number | undefined;
  /**
   * Any other option of the engine, by its name in the engine's list of options, such as
   * `{ bloom_bits: 14, strategy: 'tiered' }`. Default: `{}`. An unknown name or a value out of range fails the opening.
   */
  readonly engine?: Readonly<Record<string, string | number>> | undefined;
}

const NAMES = {
  cacheSize: 'cache_bytes',
  writeBufferSize: 'memtable_bytes',
  blockSize: 'block_bytes',
  blockRestartInterval: 'restart_interval',
  maxOpenFiles: 'open_tables_max',
  maxFileSize: 'table_bytes',
} as const;

/** The values that an option may have, where they are words or of one kind. */
const ALLOWED: Readonly<Record<string, (value: unknown) => boolean>> = {
  durability: (value) => value === 'relaxed' || value === 'strict',
  fallback: (value) => value === 'memory',
  compression: (value) => typeof value === 'boolean',
  inspect: (value) => typeof value === 'boolean',
  worker: (value) => typeof value === 'function',
  engine: (value) => typeof value === 'object' && value !== null,
};

const shown = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Refuses what would be taken for something else, or for nothing: a durability that is misspelt gives none. */
export function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError("The argument 'options' must be an object");
  }
  const isSize = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
  const sizes = Object.keys(NAMES).map((name) => [name, isSize] as const);
  for (const [name, isAllowed] of [...Object.entries(ALLOWED), ...sizes]) {
    const value = (options as Record<string, unknown>)[name];
    if (value === undefined || isAllowed(value)) continue;
    throw new TypeError(`The option '${name}' cannot be ${shown(value)}`);
  }
}

/** The engine's advice to use its native program, which does not come with this package. */
const NATIVE_ADVICE = /: `levelscope .*$/s;

/** `error` in the words of a program that uses this package: the option has the name that it was given by. */
export function inOwnWords(error: unknown, options: EngineOptions): unknown {
  if (!(error instanceof LevelscopeError)) return error;
  if (NATIVE_ADVICE.test(error.message)) {
    const advice = '; copy its entries with the package that wrote it';
    const message = error.message.replace(NATIVE_ADVICE, advice);
    return new LevelscopeError({ ...error, message });
  }
  for (const [name, engineName] of Object.entries(NAMES)) {
    const isOwn = options[name as keyof typeof NAMES] !== undefined;
    if (!isOwn || !error.message.startsWith(`${engineName} `)) continue;
    return new LevelscopeError({ ...error, message: error.message.replace(engineName, name) });
  }
  return error;
}

/** The options by the engine's names. */
export function settingsOf(options: EngineOptions): Record<string, string> {
  const settings: Record<string, string> & { compression?: string } = {};
  for (const [name, value] of Object.entries(options.engine ?? {})) settings[name] = String(value);
  for (const [name, engineName] of Object.entries(NAMES)) {
    const value = options[name as keyof typeof NAMES];
    if (value !== undefined) settings[engineName] = String(value);
  }
  if (options.compression !== undefined) {
    settings.compression = options.compression ? 'snappy' : 'none';
  }
  return settings;
}
