import type { KeyVersion, KeyVersions, VersionPlace } from './engine.generated';
import { count } from './words';

/** The key that is followed, and everything that holds a version of it. */
export interface Followed {
  /** The key as it is shown. */
  key: string;
  found: KeyVersions;
  /** Memtables, logs and tables. */
  objects: ReadonlySet<string>;
  sequences: ReadonlySet<number>;
  /** The entries that hold versions, as selections. */
  places: readonly string[];
}

export function followedOf(key: string, found: KeyVersions): Followed {
  const places = found.versions.flatMap((version) => version.places);
  return {
    key,
    found,
    objects: new Set(places.map(objectOfPlace)),
    sequences: new Set(found.versions.map(({ sequence }) => sequence)),
    places: places.map(selectionOf),
  };
}

function objectOfPlace(place: VersionPlace): string {
  switch (place.in) {
    case 'memtable':
      return `memtable:${place.memtable}`;
    case 'log':
      return `wal:${place.wal}`;
    case 'table':
      return `table:${place.table}`;
  }
}

/** The entry that is a copy of a version, as a selection; of a memtable, the memtable. */
export function selectionOf(place: VersionPlace): string {
  const object = objectOfPlace(place);
  switch (place.in) {
    case 'memtable':
      return object;
    case 'log':
      return `${object}/record:${place.record}/entry:${place.entry}`;
    case 'table':
      return `${object}/block:${place.block}/entry:${place.entry}`;
  }
}

/** Where a copy is, in words. */
export function placeText(place: VersionPlace): string {
  switch (place.in) {
    case 'memtable':
      return `memtable ${place.memtable}`;
    case 'log':
      return `WAL ${place.wal}, record at ${count(place.offset)}`;
    case 'table':
      return `L${place.level} table ${place.table}, block ${place.block}`;
  }
}

/** Which reads find a version, in words. */
export function versionVerdict({ verdict, snapshot }: KeyVersion): string {
  const by = snapshot === null ? '' : `; a snapshot at #${count(snapshot)} reads it`;
  switch (verdict.is) {
    case 'found':
      return `a read finds this one${by}`;
    case 'deleted':
      return `a read finds this tombstone${by}`;
    case 'shadowed':
      return `shadowed by #${count(verdict.by)}${by}`;
    case 'covered':
      return `under the tombstone #${count(verdict.by)}${by}`;
    case 'invisible':
      return 'not visible yet';
    case 'logged':
      return 'only in an obsolete log record';
  }
}

/** Paths in one file of the entries that hold versions. */
export function pathsIn(followed: Followed | null, file: string): readonly string[] {
  const start = `${file}/`;
  const inside = followed?.places.filter((place) => place.startsWith(start)) ?? [];
  return inside.map((place) => place.slice(start.length));
}

/** Whether the bytes of a leaf are of one of these entries, or of the compressed block that holds it. */
export function isOfEntry(paths: readonly string[], leaf: string): boolean {
  const own = partOf(leaf);
  const isPacked = /\/compressed:\d+$/.test(leaf);
  return paths.some((path) => own.startsWith(`${path}/`)) || (isPacked && holdsEntry(paths, leaf));
}

/** Whether a part of a file is one of these entries, or holds one. */
export function holdsEntry(paths: readonly string[], part: string): boolean {
  const own = partOf(part);
  return paths.some((path) => path === own || path.startsWith(`${own}/`));
}

/** A path without the step into compressed bytes. */
function partOf(path: string): string {
  return path.replace(/\/compressed:\d+/g, '');
}
