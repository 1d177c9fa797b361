import { hexByte } from '../../../model/bytes';
import type { ShownKey as BytesOfKey } from '../../../model/engine.generated';
import { headBytes } from '../../../model/keys';
import { countBefore } from '../../../model/search';
import { counted, size } from '../../../model/words';
import { hueAt } from '../../Stage/scene/axis';
import type { RecordsIn } from '../../Stage/scene/insideRecords';
import type { TableIn } from '../../Stage/scene/insideTable';
import type { BlobLine, Levels } from './answers';
import { shortKey } from './words';

/** The table that a selection is in, as the picture opens it; `null`: its file is not in the directory. */
export function openedTable({ levels }: Levels, selection: string | null): TableIn | null {
  const [object] = selection?.split('/') ?? [];
  for (const { level, tables } of levels) {
    const found = tables.find(({ number }) => `table:${number}` === object);
    if (!found || found.isMissing) continue;
    const { number: table, bytes, smallest, largest, from, to, isVirtual } = found;
    const keys = `${shortKey(smallest, 16)} … ${shortKey(largest, 16)}`;
    // The file of a virtual table holds others, too.
    const entries = isVirtual ? null : found.entries;
    return { table, file: `@${found.file}`, keys, bytes, entries, level, ends: [from, to] };
  }
  return null;
}

/** The log or the blob file that a selection is, or is a part of; `null`: the directory has none. */
export function openedRecords(answer: Levels, selection: string | null): RecordsIn | null {
  const isOf = (file: string) => selection === `@${file}` || selection?.startsWith(`@${file}/`);
  const { axis, family } = answer;
  const own = { family, hue: (key: BytesOfKey) => hueAt(placeOf(axis, key)) };
  const log = answer.logs.find(({ file }) => isOf(file));
  if (log) return { file: `@${log.file}`, name: log.file, row: 'wal', bytes: log.bytes, ...own };
  const blob = answer.blobFiles.find(({ file, isMissing }) => !isMissing && isOf(file));
  if (!blob) return null;
  const name = blob.file;
  return { ...own, file: `@${name}`, name, row: 'blobs', bytes: blob.bytes, note: garbageOf(blob) };
}

/** The garbage of a blob file as the manifest counts it: which of its values are garbage, only their tables know. */
function garbageOf({ garbageBytes, garbageCount }: BlobLine): string {
  if (garbageBytes === 0) return 'no garbage';
  const values = garbageCount === null ? '' : `${counted(garbageCount, 'value')}, `;
  return `garbage: ${values}${size(garbageBytes)}`;
}

/** The share of the axis where a key stands, as far as the named keys tell. */
function placeOf(axis: Levels['axis'], key: BytesOfKey): number {
  const hex = Array.from(headBytes(key), hexByte).join('');
  const [first, last] = [axis[0], axis.at(-1)];
  const isDown = first && last && first[1].hex > last[1].hex;
  const before = countBefore(axis, ([, { hex: own }]) => (isDown ? own >= hex : own <= hex));
  const [from, next] = [axis[before - 1], axis[before]];
  return from === undefined ? (next?.[0] ?? 0) : (from[0] + (next?.[0] ?? from[0])) / 2;
}
