import './Strip.css';

import { useRef } from 'react';
import type { LevelView, View } from '../../model/engine.generated';
import { followSign, heldText } from '../../model/followed';
import type { Page } from '../../model/page';
import type { TermName } from '../../model/terms.generated';
import { useFollowed } from '../Follow/following';
import { useSelection } from '../shared/contexts';
import { Term } from '../shared/Term';
import { useSize } from '../shared/useSize';

interface Props {
  page: Pick<Page, 'view' | 'writing' | 'fresh' | 'selection'>;
}

/** Objects of a row that are drawn one by one. */
const ITEMS_MAX = 8;
/** Objects in a line of a row. */
const LINE_ITEMS = 3;
/** Height of a line, and around the lines of a row [px]. */
const LINE_H = 29;
const AROUND = 8;
/** Above the first row and below the last one, and at the durable line [px]. */
const ENDS = 30;
const FIRST_SIZE = { width: 208, height: 480 };
const SIZE_MIN = { width: 1, height: 50 };

/** An object of the strip. */
interface Entry {
  id: string;
  number: number;
  className: string;
}

/** The whole tree, small, beside a picture of one part of it: where that part belongs. */
export function Strip({ page }: Props) {
  const { view } = page;
  const host = useRef<HTMLElement>(null);
  const { height } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const inputs = new Set(
    view.jobs.flatMap(({ what, memtable, inputs }) =>
      what === 'flush' ? [`memtable:${memtable}`] : inputs.map((table) => `table:${table}`),
    ),
  );
  const marksOf = (id: string) =>
    [
      inputs.has(id) ? 'is-input' : '',
      page.fresh.has(id) ? 'is-fresh' : '',
      page.selection === id ? 'is-selected' : '',
    ].filter(Boolean);
  const entry = (kind: string, number: number, className: string): Entry => {
    const id = `${kind}:${number}`;
    return { id, number, className: [className, ...marksOf(id)].join(' ') };
  };
  const memtables = view.memtables.map(({ memtable, immutable }) =>
    entry('memtable', memtable, immutable ? 'memtable immutable' : 'memtable'),
  );
  const wals = view.wals.map(({ wal }) => entry('wal', wal, 'wal'));
  const levels = shownLevels(view).map(({ score, tables }) => {
    const { level } = score;
    const kind = `table level-${Math.min(level, 3)}`;
    const written = [...page.writing.values()].filter((output) => output.level === level);
    const outputs = written.map(({ table }) => entry('table', table, `${kind} output`));
    return {
      level,
      items: [...outputs, ...tables.map(({ table }) => entry('table', table, kind))],
    };
  });
  const rows = [memtables, wals, ...levels.map(({ items }) => items)];
  const max = roomOf(rows, height);
  return (
    <nav className="strip in-column rigid" aria-label="The whole tree" ref={host}>
      <Row name="Memory" term="memtable" items={memtables} max={max} />
      {/* The newest log comes first, as the newest memtable does. */}
      <Row name="WAL" term="WAL" isDurable items={wals.toReversed()} max={max} />
      {levels.map(({ level, items }) => (
        <Row
          key={level}
          name={`L${level}`}
          term={level === 0 ? 'L0' : 'level'}
          items={items}
          max={max}
        />
      ))}
    </nav>
  );
}

/** How many objects a row may draw, so that all rows are seen: a line of them at least. */
function roomOf(rows: readonly (readonly Entry[])[], height: number): number {
  const needed = (max: number) =>
    rows.reduce((sum, items) => {
      const lines = Math.ceil(Math.max(Math.min(items.length, max), 1) / LINE_ITEMS);
      return sum + lines * LINE_H + AROUND;
    }, ENDS);
  const fits = [ITEMS_MAX, 2 * LINE_ITEMS].find((max) => needed(max) <= height);
  return fits ?? LINE_ITEMS;
}

/** At most `max` places for `items`: those that stand out first, and the last place for the number of the others. */
export function placed<Item extends { className: string }>(
  items: readonly Item[],
  max: number,
): { shown: readonly Item[]; hidden: number } {
  if (items.length <= max) return { shown: items, hidden: 0 };
  const marked = items.filter(({ className }) => /\b(is-|output)/.test(className));
  const plain = items.filter((item) => !marked.includes(item));
  const chosen = new Set([...marked, ...plain].slice(0, max - 1));
  return { shown: items.filter((item) => chosen.has(item)), hidden: items.length - chosen.size };
}

/** All levels down to the first empty one below all data. */
function shownLevels({ levels, jobs }: View): readonly LevelView[] {
  const deepest = levels.findLastIndex(
    ({ score, tables }) =>
      tables.length > 0 || jobs.some(({ outputLevel }) => outputLevel === score.level),
  );
  return levels.slice(0, Math.max(deepest + 2, 2));
}

interface RowProps {
  name: string;
  /** What explains the name. */
  term: TermName;
  /** The line between memory and files is drawn above it. */
  isDurable?: boolean;
  items: readonly Entry[];
  /** Places in it. */
  max: number;
}

function Row({ name, term, isDurable, items, max }: RowProps) {
  const { shown, hidden } = placed(items, max);
  return (
    <div className={isDurable ? 'strip-row rigid durable' : 'strip-row rigid'}>
      <b>
        <Term name={term}>{name}</Term>
      </b>
      <div>
        {shown.map(({ id, number, className }) => (
          <Item key={id} id={id} name={String(number)} className={className} />
        ))}
        {hidden > 0 && <span title={`and ${hidden} more`}>+{hidden}</span>}
      </div>
    </div>
  );
}

function Item({ id, name, className }: { id: string; name: string; className: string }) {
  const { select } = useSelection();
  const followed = useFollowed();
  const held = followed?.objects.get(id);
  return (
    <button
      type="button"
      className={`strip-item ${className}${held ? ' followed' : ''}`}
      data-sign={held ? followSign(held.isRead) : undefined}
      data-object={id}
      aria-label={`${id.replace(':', ' ')}${held ? `, ${heldText(followed?.key ?? '', held)}` : ''}`}
      onClick={() => select(id)}
    >
      {name}
    </button>
  );
}
