// Options of the engine, by the names that users of LevelDB in JavaScript know.

import { LevelscopeError } from './engine/error';

/** Options of the engine. Those with a name in classic-level have it here, too. */
export interface EngineOptions {
  /** Whether blocks are compressed with Snappy. Default: true. */
  readonly compression?: boolean | undefined;
  /** Memory for decompressed blocks [bytes]. Default: 16 MiB. */
  readonly cacheSize?: number | undefined;
  /** Size at which writes in memory become a table [bytes]. Default: 4 MiB. */
  readonly writeBufferSize?: number | undefined;
  /** Size of the blocks of a table before compression [bytes]. Default: 4 KiB. */
  readonly blockSize?: number | undefined;
  /** Entries of a block between two whole keys. Default: 16. */
  readonly blockRestartInterval?: number | undefined;
  /** Most tables that are open at a time. Default: 500. */
  readonly maxOpenFiles?: number | undefined;
  /** Size of tables that compactions write [bytes]. Default: 2 MiB. */
  readonly maxFileSize?: number | undefined;
  /** Any other option of the engine, by its name there, such as `{ bloom_bits: 14, strategy: 'tiered' }`. */
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
