/** Caches in memory: as much of the browser's as the service worker uses. */
export class FakeCaches {
  readonly kept = new Map<string, Map<string, Response>>();

  async open(name: string) {
    const cache = this.kept.get(name) ?? new Map<string, Response>();
    this.kept.set(name, cache);
    return {
      put: async (address: string, response: Response) => void cache.set(address, response),
    };
  }

  async keys(): Promise<string[]> {
    return [...this.kept.keys()];
  }

  async delete(name: string): Promise<boolean> {
    return this.kept.delete(name);
  }

  async match(address: string, { cacheName }: { cacheName: string }) {
    return this.kept.get(cacheName)?.get(address);
  }

  /** For functions that expect the browser's own. */
  get asCaches(): CacheStorage {
    return this as unknown as CacheStorage;
  }
}
