import { expect, it } from 'vitest';
import { historyFrom } from '../../model/branchHistory';
import { FIRST_PAGE } from '../../model/page';
import { shown } from '../../model/shown';
import { busyView } from '../../testing/sample';
import { pictureWords } from './pictureWords';

it('lists every object of the picture in a sentence for each row', () => {
  const view = busyView();
  const page = shown({ ...FIRST_PAGE, histories: new Map([[0, historyFrom(view)]]) });
  const { title, description } = pictureWords(page);
  expect(title).not.toBe('');
  for (const { memtable } of view.memtables) expect(description).toContain(`memtable ${memtable}`);
  for (const { wal } of view.wals) expect(description).toContain(`WAL ${wal}`);
  const tables = view.levels.flatMap((level) => level.tables);
  expect(tables.length).toBeGreaterThan(0);
  for (const { table } of tables) expect(description).toContain(`table ${table}`);
  expect(description).toContain('L0');
});

it('stays short where a level has many tables', () => {
  const view = busyView();
  const [first, second, ...levels] = view.levels;
  const table = view.levels.flatMap((level) => level.tables)[0];
  if (!first || !second || !table) throw new Error('the sample has tables');
  const key = (at: number) => ({ ...table.smallest, text: `k${String(at).padStart(4, '0')}` });
  const tables = Array.from({ length: 500 }, (_, at) => ({
    ...table,
    table: 1000 + at,
    smallest: key(2 * at),
    largest: key(2 * at + 1),
  }));
  const many = { ...view, levels: [first, { ...second, tables }, ...levels] };
  const page = shown({ ...FIRST_PAGE, histories: new Map([[0, historyFrom(many)]]) });
  const { description } = pictureWords(page);
  expect(description).toMatch(/L1.*500 tables/);
  expect(description.length).toBeLessThan(20_000);
});
