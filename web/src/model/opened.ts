/** Opened files: what the engine says of them, checked before it is shown, and how it is asked. */

import { isRecord } from './answers';
import { wordOfText } from './commandWords';
import type { EntriesResult, FormatState, LookupResult, OpenedState } from './engine.generated';

/** Entries of one page of the table. */
export const ENTRIES_AT_ONCE = 200;

/** The answer of `open` and `opened`, or `null` when it is something else. */
export function readOpened(value: unknown): OpenedState[] | null {
  if (!isRecord(value) || !Array.isArray(value.files)) return null;
  const files = value.files.filter(isOpened);
  return files.length === value.files.length ? files : null;
}

function isOpened(value: unknown): value is OpenedState {
  if (!isRecord(value)) return false;
  const { id, name, bytes, what, others, format } = value;
  if (typeof id !== 'string' || !id.startsWith('@') || typeof name !== 'string') return false;
  if (typeof bytes !== 'number' || typeof what !== 'string' || !Array.isArray(others)) return false;
  return format === null || (isRecord(format) && Array.isArray(format.searches));
}

/** The answer of `entries`, or `null` when it is something else. */
export function readEntries(value: unknown): EntriesResult | null {
  if (!isRecord(value) || !Array.isArray(value.entries) || !Array.isArray(value.damage))
    return null;
  return typeof value.count === 'number' ? (value as EntriesResult) : null;
}

/** The answer of `lookup`, or `null` when it is something else. */
export function readLookup(value: unknown): LookupResult | null {
  if (!isRecord(value) || !isRecord(value.trail)) return null;
  return Array.isArray(value.trail.accesses) ? (value as LookupResult) : null;
}

/** The answer of `formats`, or `null` when it is something else. */
export function readFormats(value: unknown): FormatState[] | null {
  if (!Array.isArray(value)) return null;
  const isFormat = (item: unknown) =>
    isRecord(item) && typeof item.id === 'string' && typeof item.purpose === 'string';
  return value.every(isFormat) ? (value as FormatState[]) : null;
}

/** What is asked for a page of entries. */
export function entriesQuestion(file: string, skip: number): string {
  return `entries ${wordOfText(file)} --skip ${skip} --limit ${ENTRIES_AT_ONCE}`;
}

/** What is typed to look a key up; `key` as it is shown, with `\xNN` for what cannot be printed. */
export function lookupCommand(file: string, key: string, search: string): string {
  return `lookup ${wordOfText(file)} ${wordOfText(key)} --search ${search}`;
}

/** What `import` takes for each database among the opened files, in their order. */
export function databasesAmong(files: readonly OpenedState[]): string[] {
  return [...new Set(files.flatMap(({ database }) => (database === null ? [] : [database])))];
}

/** The words for a database in a button: files without a directory have no name in common. */
export function nameOfDatabase(database: string): string {
  return database === '@CURRENT' ? 'the database of these files' : `the database ${database}`;
}
