import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openedLens } from '../../../testing/realLens';
import type { StoredEntry } from '../../Stage/scene/inside';
import { recordsInside } from '../../Stage/scene/insideRecords';
import { tableInside } from '../../Stage/scene/insideTable';
import { readRecords } from '../../Stage/useRecords';
import { readTable } from '../../Stage/useTable';
import type { Ask } from '../../shared/contexts';
import { openedRecords, openedTable } from './openedFile';

const NAMES = readdirSync('tests/fixtures/lsm').filter((name) => /^[bclpw]_\w+$/.test(name));

/** The levels of a directory, and its questions about bytes. */
async function openedLevels(fixture: string) {
  const lens = await openedLens(fixture);
  const answer = await lens.ask({ ask: 'levels', family: 0, step: null });
  return { answer, ask: lens.ask as unknown as Ask };
}

/** The logs and blob files of a directory, from inside. */
async function filesOf(fixture: string) {
  const { answer, ask } = await openedLevels(fixture);
  const look = async (file: string) => {
    const of = openedRecords(answer, `@${file}/records:1`);
    return of && recordsInside(of, await readRecords(ask, of.file));
  };
  const logs = answer.logs.map(async (log) => ({ log, inside: await look(log.file) }));
  const blobs = answer.blobFiles.map(async (blob) => ({ blob, inside: await look(blob.file) }));
  return { logs: await Promise.all(logs), blobs: await Promise.all(blobs) };
}

/** How many entries a record has. */
const held = ({ kind, sequence }: Pick<StoredEntry, 'kind' | 'sequence'>) =>
  Number(/\d+/.exec(kind ?? '')?.[0] ?? Number(sequence > 0));

describe('logs and blob files from inside', () => {
  it('have every entry of their records, which lead to their bytes', async () => {
    let [compared, values] = [0, 0];
    for (const name of NAMES) {
      const { logs, blobs } = await filesOf(name);
      for (const { log, inside } of logs) {
        const entries = inside?.entries ?? [];
        expect(inside?.object, name).toBe(`@${log.file}`);
        for (const { path } of entries) expect(path).toMatch(/^@[\w.]+\/(block:\d+\/)?record:\d+$/);
        if (entries.some(({ sequence, kind }) => sequence === 0 && kind === 'record')) continue;
        const all = entries.reduce((sum, entry) => sum + held(entry), 0);
        expect(all, `${name}/${log.file}`).toBeGreaterThanOrEqual(log.entries);
        compared += all;
      }
      for (const { blob, inside } of blobs) {
        expect(inside?.entries.length, `${name}/${blob.file}`).toBe(blob.count ?? 0);
        expect(inside?.columns).toBeGreaterThan(0);
        values += blob.count ?? 0;
      }
    }
    expect(compared).toBeGreaterThan(300);
    expect(values).toBeGreaterThan(100);
  });
});

describe('blob files', () => {
  it('have their garbage in the title, as far as the manifest counts it', async () => {
    const titles = async (name: string) =>
      (await filesOf(name)).blobs.map(({ inside }) => inside?.figures[0]?.split(' · ').at(-1));
    expect(await titles('b_blob_garbage')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^garbage: \d+ values, [\d.]+ KiB$/)]),
    );
    for (const title of await titles('p_blob_files'))
      expect(title).toMatch(/^(no garbage|garbage: [\d.]+ K?i?B)$/);
  });
});

describe('tables from inside', () => {
  it('have every entry, in rows and in columns', async () => {
    let compared = 0;
    for (const name of NAMES.filter((each) => /^[cp]_/.test(each))) {
      const { answer, ask } = await openedLevels(name);
      for (const { number } of answer.levels.flatMap(({ tables }) => tables)) {
        const info = openedTable(answer, `table:${number}/block:1`);
        if (!info?.entries) continue;
        const read = await readTable(ask, info.file, 1, new AbortController().signal);
        const { entries } = tableInside(info, read, { path: 'table:1', block: null, near: 1 });
        // Ranges count as entries, and have a block of their own.
        const isCounted =
          read.blocks.length <= 48 && !read.others.some(({ name }) => name.startsWith('range'));
        if (isCounted) expect(entries.length, `${name}/${number}`).toBe(info.entries);
        compared += Number(isCounted);
      }
    }
    expect(compared).toBeGreaterThan(20);
  });
});
