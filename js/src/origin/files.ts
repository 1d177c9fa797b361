// The files of one database: opened when a call needs them or ahead of it, handed to the engine, closed when cold, removed
// when deleted.

import type { OriginDirectory } from './directory';

/** The engine's handles of its files. */
export interface Registry {
  /** Whether it could use a handle that it does not have. */
  isWanted(name: string): boolean;
  register(name: string, handle: FileSystemSyncAccessHandle): void;
  /** Deleted files, their handles closed. */
  takeRemoved(): string[];
  /** Closes all but the `cap` tables read last. */
  closeCold(cap: number): string[];
  /** Closes every handle; empty files that were opened ahead for nothing. */
  closeAll(): string[];
}

/** Tables that stay open; each handle that was written through reserves at least 1 MiB of quota. */
export const OPEN_TABLES = 64;
/** Most requests in a row for a file that is open already; more of them are a bug. */
const VAIN_MAX = 8;

export class OriginFiles<R extends Registry = Registry> {
  readonly #opening = new Map<string, Promise<void>>();
  readonly #removing = new Map<string, Promise<unknown>>();
  #vain = 0;
  #isClosed = false;

  /** `refusal` words why a file cannot be opened; without `thrown`: it was opened, but is still not there. */
  constructor(
    readonly registry: R,
    private readonly directory: OriginDirectory,
    private readonly refusal: (name: string, thrown?: unknown) => Error,
  ) {}

  /** Opens the file that a call waits for, and `others` with it. */
  async need(name: string, others: readonly string[] = []): Promise<void> {
    if (!this.registry.isWanted(name)) {
      this.#vain += 1;
      if (this.#vain > VAIN_MAX) throw this.refusal(name);
      return;
    }
    const open = (each: string) =>
      this.ahead(each).catch((thrown) => {
        throw this.refusal(each, thrown);
      });
    await Promise.all([...new Set([name, ...others])].map(open));
  }

  /** Opens a file, once, and hands it to the engine; throws what the browser throws. */
  ahead(name: string): Promise<void> {
    const pending = this.#opening.get(name);
    if (pending !== undefined) return pending;
    const opening = this.#register(name).finally(() => this.#opening.delete(name));
    this.#opening.set(name, opening);
    return opening;
  }

  async #register(name: string): Promise<void> {
    await this.#removing.get(name);
    if (this.#isClosed || !this.registry.isWanted(name)) return;
    this.registry.register(name, await this.directory.open(name));
    this.#vain = 0;
  }

  /** Closes the tables that were not read for longest. */
  closeCold(): void {
    this.registry.closeCold(OPEN_TABLES);
  }

  /** Removes what the engine has deleted. */
  sweep(): Promise<void> {
    return this.remove(this.registry.takeRemoved());
  }

  /** Removes closed files, all at once: each is a round trip. One that stays is swept at the next opening. */
  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const removing = this.directory.remove(name).catch(() => {});
      this.#removing.set(
        name,
        removing.finally(() => this.#removing.delete(name)),
      );
    }
    await Promise.all(names.map((name) => this.#removing.get(name)));
  }

  /** Closes everything, and removes what was opened ahead for nothing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#opening.values());
    const leftovers = [...this.registry.takeRemoved(), ...this.registry.closeAll()];
    await Promise.all([this.remove(leftovers), ...this.#removing.values()]);
    this.directory.closeAll();
  }

  /** Closes every handle at once: the engine cannot be asked any more. */
  abandon(): void {
    this.#isClosed = true;
    this.directory.closeAll();
  }
}
