import { useEffect, useRef, useState } from 'react';
import { bytesOf, CHUNK_BYTES, hexQuery, type Space } from '../../model/ask';
import { type Family, familyOf, type Leaf, leafAt, leavesOf } from '../../model/bytes';
import { messageOf } from '../../model/failures';
import { type Ask, useMoment, useQuestions } from '../shared/contexts';

/** Some bytes, with the names of all of them. */
export interface Chunk {
  offset: number;
  bytes: Uint8Array;
  leaves: readonly Leaf[];
  /** Family of each byte, and whether a leaf begins with it. */
  families: readonly Family[];
  starts: readonly boolean[];
}

export interface Chunks {
  /** Bytes of the whole; `null` until the first answer. */
  total: number | null;
  failure: string | null;
  /** The chunk that has the byte at `offset`, when it is there. */
  at(offset: number): Chunk | null;
  /** The leaf that has the byte at `offset`, when its chunk is there. */
  leaf(offset: number): Leaf | null;
  /** The fetched bytes from the beginning of the range to its first gap. */
  bytes(from: number, end: number): Uint8Array;
}

interface Store {
  key: string;
  total: number | null;
  failure: string | null;
  chunks: ReadonlyMap<number, Chunk & { moment: string }>;
}

/** Most chunks that are kept; the farthest ones are dropped first. */
const KEPT = 48;
/** Shortest time between two fetches of the bytes on show while the database changes [ms]. */
const PAUSE_MS = 200;

/** The chunks of bytes from `from` up to `end` of `space`, fetched one after the other. */
export function useChunks(space: Space | null, from: number, end: number): Chunks {
  const { ask } = useQuestions();
  const moment = useMoment();
  const key = space ? `${space.file} ${space.inside ?? ''}` : '';
  const [store, setStore] = useState<Store>(() => nothing(key));
  const busy = useRef(false);
  const current = store.key === key ? store : nothing(key);
  const firstChunk = Math.floor(from / CHUNK_BYTES);
  const lastChunk = Math.max(firstChunk, Math.floor(Math.max(end - 1, 0) / CHUNK_BYTES));
  useEffect(() => {
    if (!space || busy.current) return;
    const known = store.key === key ? store : nothing(key);
    const wanted = wantedChunk(known, moment, firstChunk, lastChunk);
    if (wanted === null) return;
    const timer = setTimeout(
      () => {
        busy.current = true;
        fetchChunk(ask, space, wanted * CHUNK_BYTES).then((found) => {
          busy.current = false;
          setStore((old) => withChunk(old.key === key ? old : nothing(key), wanted, moment, found));
        });
      },
      known.chunks.has(wanted) ? PAUSE_MS : 0,
    );
    return () => clearTimeout(timer);
  }, [ask, space, key, moment, firstChunk, lastChunk, store]);
  const at = (offset: number) => current.chunks.get(Math.floor(offset / CHUNK_BYTES)) ?? null;
  return {
    total: current.total,
    failure: current.failure,
    at,
    leaf: (offset) => leafAt(at(offset)?.leaves ?? [], offset),
    bytes: (first, last) => gather(at, first, last),
  };
}

function nothing(key: string): Store {
  return { key, total: null, failure: null, chunks: new Map() };
}

function wantedChunk(store: Store, moment: string, first: number, last: number): number | null {
  const end = store.total === null ? first : Math.ceil(store.total / CHUNK_BYTES) - 1;
  const asked = (index: number) => store.chunks.get(index)?.moment;
  const shown = Math.min(last, Math.max(end, first)) - first + 1;
  const all = Array.from({ length: shown }, (_, at) => first + at);
  const isNew = (index: number) => asked(index) === undefined;
  return all.find(isNew) ?? all.find((index) => asked(index) !== moment) ?? null;
}

type FetchedChunk = { chunk: Chunk; total: number } | { failure: string };

async function fetchChunk(ask: Ask, space: Space, from: number): Promise<FetchedChunk> {
  try {
    const answer = await ask(hexQuery(space, from, CHUNK_BYTES));
    const leaves = leavesOf(answer.root, space.inside ?? '');
    return { total: answer.fileBytes, chunk: chunkOf(answer.offset, bytesOf(answer), leaves) };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

/** A chunk whose bytes are named by `leaves`. */
function chunkOf(offset: number, bytes: Uint8Array, leaves: readonly Leaf[]): Chunk {
  const families: Family[] = new Array(bytes.length).fill('zeros');
  const starts: boolean[] = new Array(bytes.length).fill(false);
  for (const { node } of leaves) {
    const family = familyOf(node);
    const from = Math.max(node.offset - offset, 0);
    families.fill(family, from, Math.min(node.offset + node.bytes - offset, bytes.length));
    if (node.offset >= offset) starts[from] = true;
  }
  return { offset, bytes, leaves, families, starts };
}

function withChunk(store: Store, index: number, moment: string, fetched: FetchedChunk): Store {
  const chunks = new Map(store.chunks);
  if ('failure' in fetched) {
    // Failed: it is fetched again only after a change, and no outdated bytes are shown.
    chunks.set(index, { ...chunkOf(index * CHUNK_BYTES, new Uint8Array(), []), moment });
    return { ...store, chunks, failure: fetched.failure };
  }
  chunks.set(index, { ...fetched.chunk, moment });
  const far = [...chunks.keys()].sort((a, b) => Math.abs(b - index) - Math.abs(a - index));
  for (const old of far.slice(0, Math.max(0, chunks.size - KEPT))) chunks.delete(old);
  return { ...store, chunks, total: fetched.total, failure: null };
}

function gather(at: (offset: number) => Chunk | null, from: number, end: number): Uint8Array {
  const parts: number[] = [];
  let next = from;
  while (next < end) {
    const chunk = at(next);
    const bytes = chunk?.bytes.subarray(next - chunk.offset, end - chunk.offset);
    if (!bytes || bytes.length === 0) break;
    for (const byte of bytes) parts.push(byte);
    next += bytes.length;
  }
  return Uint8Array.from(parts);
}
