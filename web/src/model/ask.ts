/** What the inspector asks the engine for. Every path that comes from a selection has been checked. */

import { wordOfText } from './commandWords';

/** Stretches of a ribbon. */
const STRETCHES = 240;
/** Bytes of one answer of [`hexQuestion`]. */
export const CHUNK_BYTES = 4096;

/** The file summed up for a ribbon. */
export function ribbonQuestion(file: string): string {
  return `layout ${wordOfText(file)} --ribbon ${STRETCHES}`;
}

/** The part of a file at `path`, and some of its parts. */
export function partQuestion(file: string, path: string, skip: number, limit: number): string {
  const node = path === '' ? '""' : path;
  return `layout ${wordOfText(file)} --node ${node} --skip ${skip} --limit ${limit}`;
}

/** Bytes of a file, or of what the compressed part at `inside` holds. */
export interface Space {
  /** `table:12`. */
  file: string;
  inside: string | null;
}

/** One chunk of bytes, with the names of all of them. */
export function hexQuestion({ file, inside }: Space, at: number, length: number): string {
  const decoded = inside === null ? '' : ` --node ${inside} --decoded`;
  return `hex ${wordOfText(file)}${decoded} --at ${at} --length ${length}`;
}

/** The first place from `at` on that has the bytes of `word`. */
export function findQuestion(space: Space, at: number, word: string): string {
  return `${hexQuestion(space, at, 1)} --find ${word}`;
}
