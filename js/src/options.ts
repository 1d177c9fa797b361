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

/** The values that an option may have, in words. */
interface Values {
  readonly words: string;
  allows(value: unknown): boolean;
}

const oneOf = (...texts: unknown[]): Values => ({
  words: texts.map((text) => `'${text}'`).join(' or '),
  allows: (value) => texts.includes(value),
});
const ofType = (type: string, words: string): Values => ({
  words,
  allows: (value) => typeof value === type && value !== null,
});
const whole = (unit: string): Values => ({
  words: `a whole number of ${unit}`,
  allows: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
});
const FLAG = ofType('boolean', 'true or false');
const BYTES = whole('bytes');

/** The values of each option; `null` where abstract-level or another part of the package checks them. */
const VALUES: ReadonlyMap<string, Values | null> = new Map(
  Object.entries({
    durability: oneOf('relaxed', 'strict'),
    inspect: FLAG,
    fallback: oneOf('memory'),
    wasm: null,
    worker: ofType('function', 'a function'),
    engine: ofType('object', 'an object'),
    compression: FLAG,
    cacheSize: BYTES,
    writeBufferSize: BYTES,
    blockSize: BYTES,
    blockRestartInterval: whole('keys'),
    maxOpenFiles: whole('tables'),
    maxFileSize: BYTES,
    keyEncoding: null,
    valueEncoding: null,
    createIfMissing: null,
    errorIfExists: null,
  }),
);

/** The error of a value that is none of those in `words`. */
function wrong(name: string, words: string, value: unknown): TypeError {
  // Among words in quotes, a text needs no explanation.
  const kind = words.startsWith("'") ? '' : 'the text ';
  const given = typeof value === 'string' ? `${kind}'${value}'` : String(value);
  return new TypeError(`The option '${name}' must be ${words}, not ${given}`);
}

/** Whether two names have the same beginning and end, and between them no more than a third of the first. */
function isNear(one: string, other: string): boolean {
  let [start, end] = [0, 0];
  while (one[start] && one[start] === other[start]) start++;
  while (one.at(-1 - end) && one.at(-1 - end) === other.at(-1 - end)) end++;
  return Math.max(one.length, other.length) - start - end <= one.length / 3;
}

/**
 * Refuses a misspelt option, and a value that the engine would ignore or take for another: a misspelt durability gives none.
 * Other unknown options pass: abstract-level hands them to hooks.
 */
export function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError("The argument 'options' must be an object");
  }
  for (const [name, value] of Object.entries(options)) {
    const values = VALUES.get(name);
    if (values && value !== undefined && !values.allows(value)) {
      throw wrong(name, values.words, value);
    }
    if (values !== undefined) continue;
    const meant = [...VALUES.keys()].find((known) => isNear(name, known));
    if (meant) throw new TypeError(`There is no option '${name}'; did you mean '${meant}'?`);
  }
  for (const [name, value] of Object.entries((options as EngineOptions).engine ?? {})) {
    const isNumber = typeof value === 'string' && /^\d+$/.test(value);
    if (isNumber) throw wrong(`engine.${name}`, `the number ${value}`, value);
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
