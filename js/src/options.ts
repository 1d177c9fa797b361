// Options of the engine, by the names that users of LevelDB in JavaScript know.

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

/** Refuses what would be taken for something else, or for nothing: a durability that is misspelt gives none. */
export function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError("The argument 'options' must be an object");
  }
  for (const [name, isAllowed] of Object.entries(ALLOWED)) {
    const value = (options as Record<string, unknown>)[name];
    if (value === undefined || isAllowed(value)) continue;
    throw new TypeError(`The option '${name}' cannot be ${JSON.stringify(value)}`);
  }
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
