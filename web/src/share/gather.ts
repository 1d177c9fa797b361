/** Files that people give to the page, read whole, within limits; sentences name those that are left out. */

import { BYTES_MAX, FILES_MAX, NAME_UNITS_MAX } from '../model/engine.generated';
import { counted, size } from '../model/words';
import type { Listed } from './entries';
import type { ForeignFile } from './foreign';

export interface Gathered {
  files: ForeignFile[];
  /** What was left out, as sentences. */
  leftOut: string[];
}

/** Takes files until the limits are reached. */
class Basket {
  readonly files: ForeignFile[] = [];
  private bytes = 0;
  private tooMany = 0;
  private readonly tooLarge: string[] = [];
  private readonly unreadable: string[] = [];

  get isFull(): boolean {
    return this.files.length + this.tooMany >= 2 * FILES_MAX;
  }

  async take(path: string, file: File): Promise<void> {
    if (this.files.length >= FILES_MAX) {
      this.tooMany += 1;
      return;
    }
    if (this.bytes + file.size > BYTES_MAX) {
      this.tooLarge.push(file.name);
      return;
    }
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      this.bytes += bytes.length;
      this.files.push({ name: path.slice(-NAME_UNITS_MAX), bytes });
    } catch {
      // A file that was moved away, or a directory that was chosen as a file.
      this.unreadable.push(file.name);
    }
  }

  done(): Gathered {
    const leftOut: string[] = [];
    if (this.tooLarge.length > 0) {
      const why = `at most ${size(BYTES_MAX)} are opened at once`;
      leftOut.push(`Left out, because ${why}: ${firstOf(this.tooLarge)}`);
    }
    if (this.tooMany > 0) {
      leftOut.push(`Left out: ${counted(this.tooMany, 'file')} after the first ${FILES_MAX}`);
    }
    if (this.unreadable.length > 0) {
      leftOut.push(`Could not be read: ${firstOf(this.unreadable)}`);
    }
    return { files: this.files, leftOut };
  }
}

function firstOf([first, ...more]: readonly string[]): string {
  return more.length > 0 ? `${first} and ${more.length} more` : `${first}`;
}

/** Reads files that were chosen or dropped. */
export async function gather(listed: Iterable<Listed>): Promise<Gathered> {
  const basket = new Basket();
  for (const { path, file } of listed) {
    if (basket.isFull) break;
    await basket.take(path, file);
  }
  return basket.done();
}
