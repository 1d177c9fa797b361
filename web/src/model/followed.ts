import type { KeyVersion, KeyVersions, VersionPlace } from './engine.generated';
import { keyText } from './keys';
import { count } from './words';

/** Letters of a value beside the mark of an object. */
const VALUE_LETTERS = 12;

/** One object's versions of the followed key. */
export type ObjectVersions = ReturnType<typeof summaryOf>;

/** The followed key, and every object and entry with a version of it. */
export type Followed = ReturnType<typeof followedOf>;

export function followedOf(key: string, found: KeyVersions) {
  const placesOf = (versions: readonly KeyVersion[]): readonly string[] =>
    versions.flatMap((version) => version.places.map(selectionOf));
  return {
    /** The key as it is shown. */
    key,
    found,
    /** Memtables, logs and tables. */
    objects: objectsOf(found.versions),
    sequences: new Set(found.versions.map(({ sequence }) => sequence)),
    /** The entries that hold versions, as selections. */
    places: placesOf(found.versions),
    /** The entries of the version that a read finds. */
    readPlaces: placesOf(found.versions.filter(isFound)),
  };
}

/** The versions in each object; `versions` are the newest first. */
function objectsOf(versions: readonly KeyVersion[]): Map<string, ObjectVersions> {
  const within = new Map<string, Set<KeyVersion>>();
  for (const version of versions) {
    for (const place of version.places) {
      const id = objectOfPlace(place);
      within.set(id, (within.get(id) ?? new Set()).add(version));
    }
  }
  return new Map([...within].map(([id, inObject]) => [id, summaryOf([...inObject])]));
}

/** The newest version's value, with the number of older versions, and whether a read finds it. */
function summaryOf([newest, ...older]: readonly KeyVersion[]) {
  if (newest === undefined) return { text: '', isRead: false };
  const value = newest.entry === 'put' ? keyText(newest.value, VALUE_LETTERS) : 'deleted';
  return { text: older.length > 0 ? `${value} +${older.length}` : value, isRead: isFound(newest) };
}

/** Whether a read finds this version. */
export function isFound({ verdict }: KeyVersion): boolean {
  return verdict.is === 'found' || verdict.is === 'deleted';
}

/** The sign of a version on every picture: filled for the one that a read finds. */
export const followSign = (isRead: boolean): string => (isRead ? '◆' : '◇');

/** An object's versions of the followed key, as a sentence part for assistive technology. */
export function heldText(key: string, { text, isRead }: ObjectVersions): string {
  return `holds a version of ${key}: ${text}${isRead ? ', which a read finds' : ''}`;
}

function objectOfPlace(place: VersionPlace): string {
  switch (place.in) {
    case 'memtable':
      return `memtable:${place.memtable}`;
    case 'log':
      return `wal:${place.wal}`;
    case 'ranges':
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
    default:
      return `${object}/${place.in === 'table' ? 'block' : 'ranges'}:${place.block}/entry:${place.entry}`;
  }
}

/** Where a copy is, in words. */
export function placeText(place: VersionPlace): string {
  switch (place.in) {
    case 'memtable':
      return `memtable ${place.memtable}`;
    case 'log':
      return `WAL ${place.wal}, record at ${count(place.offset)}`;
    case 'ranges':
      return `L${place.level} table ${place.table}, range tombstone ${place.entry}`;
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
    case 'unreached':
      return `not reached past table ${verdict.table}`;
  }
}

/** The sign of a part of a file that holds versions; `null` for one that holds none. */
export function signIn(followed: Followed | null, file: string, part: string): string | null {
  if (followed === null) return null;
  const within = (places: readonly string[]) =>
    holdsEntry(places, part === '' ? file : `${file}/${part}`);
  return within(followed.places) ? followSign(within(followed.readPlaces)) : null;
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

/** Whether a part of a file is one of these entries or contains one. */
export function holdsEntry(paths: readonly string[], part: string): boolean {
  const own = partOf(part);
  return paths.some((path) => path === own || path.startsWith(`${own}/`));
}

/** A path without the step into compressed bytes. */
function partOf(path: string): string {
  return path.replace(/\/compressed:\d+/g, '');
}
