/** A part of the page that is fetched when it is first used. */
export interface LazyPart<Module> {
  /** The part, once it is there. */
  readonly loaded: Module | null;
  /** Fetches it, again after a failure; rejects when it does not come. */
  load(): Promise<Module>;
}

/**
 * Fetches a part with `fetchPart`, an `import()`. Chromium fetches again what has failed before; Firefox remembers a failure by its
 * address as long as the page lives, so a second attempt goes to another address of the same file. That is enough because
 * a part imports nothing but what is loaded already; a test of the build checks it.
 */
export function lazyPart<Module>(
  fetchPart: () => Promise<Module>,
  fetchAgain: (address: string) => Promise<Module> = (address) =>
    import(/* @vite-ignore */ address),
): LazyPart<Module> {
  let loaded: Module | null = null;
  let attempts = 0;
  return {
    get loaded() {
      return loaded;
    },
    async load() {
      try {
        loaded ??= await fetchPart();
      } catch (error) {
        // Both browsers name the file that did not come.
        const [address] = /https?:[^\s?]+/.exec(String(error)) ?? [];
        attempts += 1;
        if (address === undefined) throw error;
        loaded = await fetchAgain(`${address}?again=${attempts}`);
      }
      return loaded;
    },
  };
}
