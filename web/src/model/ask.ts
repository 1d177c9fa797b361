/** The inspector's queries to the engine. */

import { decodeHex } from './bytes';
import type { HexResult, Query } from './engine.generated';

type Asking<Name extends Query['ask']> = Extract<Query, { ask: Name }>;

/** Stretches of a ribbon. */
const STRETCHES = 240;
/** Bytes of one answer of {@link hexQuery}. */
export const CHUNK_BYTES = 4096;

/** The file summed up for a ribbon. */
export function ribbonQuery(file: string, stretches = STRETCHES): Asking<'ribbon'> {
  return { ask: 'ribbon', file, stretches };
}

/** The part of a file at `path`, and some of its parts. */
export function partQuery(file: string, path: string, skip: number, limit: number): Asking<'part'> {
  return { ask: 'part', file, path, skip, limit };
}

/** Bytes of a file, or of what the compressed part at `inside` holds. */
export interface Space {
  /** `table:12`. */
  file: string;
  inside: string | null;
}

/** One chunk of bytes, with the names of all of them. */
export function hexQuery(space: Space, offset: number, length: number): Asking<'hex'> {
  return { ask: 'hex', ...space, offset, length };
}

/** The first place from `offset` on that has these bytes. */
export function findQuery(space: Space, offset: number, bytes: Uint8Array): Asking<'find'> {
  return { ask: 'find', ...space, offset, bytes: [...bytes] };
}

/** The bytes of an answer. */
export function bytesOf({ hex }: HexResult): Uint8Array {
  return decodeHex(hex) ?? new Uint8Array();
}
