import { useEffect, useMemo, useState } from 'react';
import { partQuery, ribbonQuery } from '../../model/ask';
import type { Node } from '../../model/engine.generated';
import { messageOf } from '../../model/failures';
import { below } from '../../model/tree';
import { type Ask, useQuestions } from '../shared/contexts';
import type { Inside } from './scene/inside';
import {
  type ReadRecord,
  type ReadRecords,
  type RecordsIn,
  recordsInside,
} from './scene/insideRecords';
import { partsIn } from './useTable';

/** The newest blocks in which records are looked for, and the newest records whose entries are. */
const PLACES_MAX = 100;
/** Parts of one answer. */
const PARTS_MAX = 1000;

/** The opened log or blob file `info` of a directory, by the parts that it reports; `null` until these are known. */
export function useRecords(info: RecordsIn | null): Inside | null {
  const file = info?.file ?? null;
  const { ask } = useQuestions();
  const [known, setKnown] = useState({ file, read: NOTHING });
  useEffect(() => {
    if (file === null) return;
    let isOver = false;
    const look = async () => {
      const read = await readRecords(ask, file).catch((error: unknown) => {
        return { ...NOTHING, failure: messageOf(error) };
      });
      if (!isOver) setKnown({ file, read });
    };
    look();
    return () => {
      isOver = true;
    };
  }, [ask, file]);
  return useMemo(
    () =>
      info && known.file === info.file && known.read !== NOTHING
        ? recordsInside(info, known.read)
        : null,
    [info, known],
  );
}

const NOTHING: ReadRecords = { records: [], count: null, blocks: [], others: [] };

/** Records are in blocks, side by side in the file, or in a part of it. */
export async function readRecords(ask: Ask, file: string): Promise<ReadRecords> {
  const { stretches } = await ask(ribbonQuery(file, PARTS_MAX));
  const own = stretches.filter(({ kind }) => kind === 'record');
  const blocks = stretches.filter(({ kind }) => kind === 'block');
  const around = own[0]?.path.replace(/\/?[^/]*$/, '');
  const places = around === undefined ? blocks.map(({ path }) => path) : [around];
  const shown = places.slice(-PLACES_MAX);
  const records: ReadRecord[] = [];
  let isWhole = shown.length === places.length;
  for (const path of shown) {
    const from = async (skip: number) => (await ask(partQuery(file, path, skip, PARTS_MAX))).part;
    const first = await from(0);
    const isShort = first.count <= PARTS_MAX;
    const { parts } = isShort ? first : await from(first.count - PARTS_MAX);
    isWhole &&= isShort;
    records.push(...parts.filter(isRecord).map((part) => ({ part, path, entries: [] })));
  }
  const newest = records.slice(-PLACES_MAX);
  for (const record of newest) {
    const { part, path } = record;
    if (part.fact === null && part.more)
      record.entries = (await partsIn(ask, file, below(path, part), 'entry')).parts;
  }
  return {
    records: records.slice(-PARTS_MAX),
    count: isWhole ? records.length : null,
    blocks: records.length === 0 ? blocks : [],
    others: stretches.filter(({ kind }) => kind !== 'record' && kind !== 'block'),
  };
}

/** A record, or the first of its fragments. */
const isRecord = ({ kind, name }: Node) => kind === 'record' && /^(record|first)/.test(name);
