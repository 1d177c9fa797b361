import './Strip.css';

import type { ReactNode } from 'react';

import type { LevelView, View } from '../../model/engine.generated';
import type { Page } from '../../model/page';
import type { TermName } from '../../model/terms.generated';
import { counted } from '../../model/words';
import { useFollowed } from '../Follow/following';
import { readBadges } from '../Stage/scene/reading';
import { useSelection } from '../shared/contexts';
import { Term } from '../shared/Term';

interface Props {
  page: Pick<Page, 'view' | 'writing' | 'reading' | 'fresh' | 'selection'>;
}

/** Tables of a level that are drawn one by one. */
const TABLES_MAX = 8;

/** The whole tree, small, beside a picture of one part of it: where that part belongs. */
export function Strip({ page }: Props) {
  const { view, reading } = page;
  const inputs = new Set(view.jobs.flatMap((job) => job.inputs.map((table) => `table:${table}`)));
  const badges = readBadges(reading);
  const classOf = (id: string) =>
    [
      inputs.has(id) ? 'is-input' : '',
      page.fresh.has(id) ? 'is-fresh' : '',
      badges.has(id) ? 'is-asked' : '',
      page.selection === id ? 'is-selected' : '',
    ].join(' ');
  return (
    <nav className="strip" aria-label="The whole tree">
      <Row name="Memory" term="memtable">
        {view.memtables.slice(0, TABLES_MAX).map(({ memtable, immutable }) => (
          <Item
            key={memtable}
            id={`memtable:${memtable}`}
            name={String(memtable)}
            className={`memtable${immutable ? ' immutable' : ''} ${classOf(`memtable:${memtable}`)}`}
          />
        ))}
      </Row>
      <Row name="WAL" term="WAL" isDurable>
        {view.wals.slice(-TABLES_MAX).map(({ wal }) => (
          <Item
            key={wal}
            id={`wal:${wal}`}
            name={String(wal)}
            className={`wal ${classOf(`wal:${wal}`)}`}
          />
        ))}
      </Row>
      {shownLevels(view).map((level) => (
        <Level key={level.score.level} level={level} page={page} classOf={classOf} />
      ))}
    </nav>
  );
}

/** All levels down to the first empty one below all data. */
function shownLevels({ levels, jobs }: View): readonly LevelView[] {
  const deepest = levels.findLastIndex(
    ({ score, tables }) =>
      tables.length > 0 || jobs.some(({ outputLevel }) => outputLevel === score.level),
  );
  return levels.slice(0, Math.max(deepest + 2, 2));
}

interface LevelProps extends Props {
  level: LevelView;
  classOf(id: string): string;
}

function Level({ level: { score, tables }, page, classOf }: LevelProps) {
  const number = score.level;
  const kind = `table level-${Math.min(number, 3)}`;
  const written = [...page.writing.values()].filter(({ level }) => level === number);
  const room = Math.max(TABLES_MAX - written.length, 1);
  const hidden = Math.max(tables.length - room, 0);
  return (
    <Row name={`L${number}`} term={number === 0 ? 'L0' : 'level'}>
      {written.slice(-3).map(({ table }) => (
        <Item
          key={table}
          id={`table:${table}`}
          name={String(table)}
          className={`${kind} output ${classOf(`table:${table}`)}`}
        />
      ))}
      {tables.slice(0, room).map(({ table }) => (
        <Item
          key={table}
          id={`table:${table}`}
          name={String(table)}
          className={`${kind} ${classOf(`table:${table}`)}`}
        />
      ))}
      {hidden > 0 && <span title={`and ${counted(hidden, 'table')} more`}>+{hidden}</span>}
    </Row>
  );
}

interface RowProps {
  name: string;
  /** What explains the name. */
  term: TermName;
  /** The line between memory and files is drawn above it. */
  isDurable?: boolean;
  children: ReactNode;
}

function Row({ name, term, isDurable, children }: RowProps) {
  return (
    <div className={isDurable ? 'strip-row durable' : 'strip-row'}>
      <b>
        <Term name={term}>{name}</Term>
      </b>
      <div>{children}</div>
    </div>
  );
}

function Item({ id, name, className }: { id: string; name: string; className: string }) {
  const { select } = useSelection();
  const followed = useFollowed();
  const isFollowed = followed?.objects.has(id) === true;
  return (
    <button
      type="button"
      className={`strip-item ${className}${isFollowed ? ' followed' : ''}`}
      data-object={id}
      aria-label={`${id.replace(':', ' ')}${isFollowed ? `, holds a version of ${followed.key}` : ''}`}
      onClick={() => select(id)}
    >
      {name}
    </button>
  );
}
