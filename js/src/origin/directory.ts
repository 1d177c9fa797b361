// A directory in the private file system of the origin (OPFS). Files are opened here, because only asynchronous calls can
// open them. The engine reads and writes them through their handles, and checks what those answer.

export const nameOf = (thrown: unknown) =>
  typeof thrown === 'object' && thrown !== null && 'name' in thrown ? String(thrown.name) : '';

const KINDS: Readonly<Record<string, string>> = {
  QuotaExceededError: 'outOfSpace',
  NoModificationAllowedError: 'locked',
};

/** The engine's word for what the browser has refused. */
export const kindOf = (thrown: unknown) => KINDS[nameOf(thrown)] ?? 'io';

export class OriginDirectory {
  /** The newest handle of each file that is there. */
  readonly #handles = new Map<string, FileSystemSyncAccessHandle>();

  /** `pauses`: waits between attempts while another tab, or a dying worker, has a file [ms]. */
  constructor(
    private readonly handle: FileSystemDirectoryHandle,
    private readonly pauses: readonly number[],
  ) {}

  /** A directory in it; `undefined` where it is absent and not to be made. */
  folder(name: string, create: true): Promise<OriginDirectory>;
  folder(name: string, create: boolean): Promise<OriginDirectory | undefined>;
  async folder(name: string, create: boolean): Promise<OriginDirectory | undefined> {
    try {
      const folder = await this.handle.getDirectoryHandle(name, { create });
      return new OriginDirectory(folder, this.pauses);
    } catch (thrown) {
      if (!create && nameOf(thrown) === 'NotFoundError') return undefined;
      throw thrown;
    }
  }

  async names(): Promise<string[]> {
    const names: string[] = [];
    for await (const name of this.handle.keys()) names.push(name);
    return names.sort();
  }

  /** Opens a file for reading and writing, made if it is absent. */
  async open(name: string): Promise<FileSystemSyncAccessHandle> {
    const file = await this.handle.getFileHandle(name, { create: true });
    const handle = await this.#patiently(() => file.createSyncAccessHandle());
    this.#handles.set(name, handle);
    return handle;
  }

  /** Removes a closed file, or a directory with all in it; an absent one is no error. */
  async remove(name: string, options: FileSystemRemoveOptions = {}): Promise<void> {
    this.#handles.delete(name);
    try {
      await this.#patiently(() => this.handle.removeEntry(name, options));
    } catch (thrown) {
      if (nameOf(thrown) !== 'NotFoundError') throw thrown;
    }
  }

  /** Closes every handle at once, writing nothing. */
  closeAll(): void {
    for (const handle of this.#handles.values()) handle.close();
    this.#handles.clear();
  }

  /** Tries again while another tab or worker has the file; gives up with the last error. */
  async #patiently<T>(attempt: () => Promise<T>): Promise<T> {
    for (const pause of this.pauses) {
      try {
        return await attempt();
      } catch (thrown) {
        if (kindOf(thrown) !== 'locked') throw thrown;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    return attempt();
  }
}
