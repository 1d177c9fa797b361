import { useEffect, useRef, useState } from 'react';
import { bytesOf, CHUNK_BYTES, hexQuery, type Space } from '../../model/ask';
import { type Leaf, leafAt, leavesOf } from '../../model/bytes';
import { messageOf } from '../../model/failures';
import { type Ask, useMoment, useQuestions } from '../shared/contexts';

/** Some bytes, with the names of all of them. */
export interface Chunk {
  offset: number;
  bytes: Uint8Array;
  leaves: readonly Leaf[];
}

interface Store {
  key: string;
  /** Bytes of the whole; `null` until the first answer. */
  total: number | null;
  failure: string | null;
  chunks: ReadonlyMap<number, Chunk & { moment: string }>;
}

/** Most chunks that are kept; the farthest ones are dropped first. */
const KEPT = 48;
/** Shortest time between two fetches of the bytes on show while the database changes [ms]. */
const PAUSE_MS = 200;

/** The bytes of `space` in chunks; those from `from` up to `end` are fetched, one chunk after the other. */
export function useChunks(space: Space, from: number, end: number) {
  const { ask } = useQuestions();
  const moment = useMoment();
  const key = `${space.file} ${space.inside ?? ''}`;
  const [store, setStore] = useState(() => nothing(key));
  const current = store.key === key ? store : nothing(key);
  const busy = useRef(false);
  const first = Math.floor(from / CHUNK_BYTES);
  const last = Math.max(first, Math.floor(Math.max(end - 1, 0) / CHUNK_BYTES));
  useEffect(() => {
    const known = store.key === key ? store : nothing(key);
    const wanted = wantedChunk(known, moment, first, last);
    if (wanted === null || busy.current) return;
    const fetch = async () => {
      busy.current = true;
      const fetched = await fetchChunk(ask, space, wanted * CHUNK_BYTES);
      busy.current = false;
      setStore((old) => withChunk(old.key === key ? old : nothing(key), wanted, moment, fetched));
    };
    const timer = setTimeout(fetch, known.chunks.has(wanted) ? PAUSE_MS : 0);
    return () => clearTimeout(timer);
  }, [ask, space, key, moment, first, last, store]);
  /** The chunk that has the byte at `offset`, when it is there; and this byte, and its leaf. */
  const at = (offset: number) => current.chunks.get(Math.floor(offset / CHUNK_BYTES)) ?? null;
  const byte = (offset: number) => at(offset)?.bytes[offset % CHUNK_BYTES];
  const leaf = (offset: number) => leafAt(at(offset)?.leaves ?? [], offset);
  /** The fetched bytes from the beginning of the range to its first gap. */
  const bytes = (start: number, stop: number) => {
    const found: number[] = [];
    for (let next = byte(start); next !== undefined && start + found.length < stop; ) {
      found.push(next);
      next = byte(start + found.length);
    }
    return Uint8Array.from(found);
  };
  const { total, failure } = current;
  return { total, failure, at, byte, leaf, bytes };
}

function nothing(key: string): Store {
  return { key, total: null, failure: null, chunks: new Map() };
}

/** The first chunk that is not there, or else the first one of another moment; `null`: there is none. */
function wantedChunk(store: Store, moment: string, first: number, last: number): number | null {
  const end = store.total === null ? first : Math.ceil(store.total / CHUNK_BYTES) - 1;
  const shown = Math.min(last, Math.max(end, first)) - first + 1;
  const all = Array.from({ length: shown }, (_, at) => first + at);
  const isOld = (index: number) => store.chunks.get(index)?.moment !== moment;
  return all.find((index) => !store.chunks.has(index)) ?? all.find(isOld) ?? null;
}

type Fetched = Chunk & Pick<Store, 'failure'> & { total?: number };

/** Of a failed chunk no outdated bytes are shown. */
async function fetchChunk(ask: Ask, space: Space, offset: number): Promise<Fetched> {
  try {
    const answer = await ask(hexQuery(space, offset, CHUNK_BYTES));
    const leaves = leavesOf(answer.root, space.inside ?? '');
    return { offset, bytes: bytesOf(answer), leaves, failure: null, total: answer.fileBytes };
  } catch (error) {
    return { offset, bytes: new Uint8Array(), leaves: [], failure: messageOf(error) };
  }
}

function withChunk(store: Store, index: number, moment: string, fetched: Fetched): Store {
  const { failure, total = store.total, ...chunk } = fetched;
  // A failed one, too: it is fetched again only after a change.
  const chunks = new Map(store.chunks).set(index, { ...chunk, moment });
  const far = [...chunks.keys()].sort((a, b) => Math.abs(b - index) - Math.abs(a - index));
  for (const old of far.slice(0, Math.max(0, chunks.size - KEPT))) chunks.delete(old);
  return { ...store, chunks, total, failure };
}
