/** Makes zip archives. Part of the worker from the start, because saving data must not depend on a server. */

import { zipSync } from 'fflate';
import { EngineError, messageOf } from '../model/failures';
import type { ForeignFile } from './foreign';

/** The files as one archive. Tables are compressed already, so a fast level is used. */
export function packed(files: readonly ForeignFile[]): Uint8Array<ArrayBuffer> {
  const content = Object.fromEntries(files.map(({ name, bytes }) => [name, bytes]));
  try {
    return zipSync(content, { level: 1, mtime: new Date(1980, 0, 1) }) as Uint8Array<ArrayBuffer>;
  } catch (error) {
    throw new EngineError('io', `The archive cannot be made: ${messageOf(error)}.`);
  }
}
