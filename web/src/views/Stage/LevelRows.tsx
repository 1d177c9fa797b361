import { type MouseEvent, memo } from 'react';
import { TERMS } from '../../model/terms.generated';
import { useSelection } from '../shared/contexts';
import { placeIn } from '../shared/placeIn';
import { Beads, Strip } from './Beads';
import { followedText, isMarked, Marked, type Marks } from './Marked';
import { type Bead, newestOf } from './scene/beads';
import { followedCaptions } from './scene/followed';
import type { Box } from './scene/geometry';
import type { LevelRow } from './scene/levels';
import { barAt, type Caption, type TableShape } from './scene/tables';

interface Props {
  row: LevelRow;
  marks: Marks;
}

/** One level: its name and score in the gutter, its tables on the key axis. */
export const LevelRowView = memo(function LevelRowView({ row, marks }: Props) {
  const { y, h, x, w } = row.box;
  const { unit } = marks;
  const head = { x: unit * 0.5, y, w: x - unit, h };
  const bars = row.tables.filter((table) => table.bar);
  const apart = row.tables.filter((table) => !table.bar || isMarked(marks, table.id));
  return (
    <g className={`level level-${Math.min(row.level, 3)}`}>
      <line className="track" x1={x} x2={x + w} y1={y + h + 3} y2={y + h + 3} />
      <Marked id={row.id} box={head} label={row.label} marks={marks} className="level-head">
        <rect className="hit" x={head.x} y={head.y} width={head.w} height={head.h} />
        <text className="row-label" x={unit} y={row.titleY}>
          <title>{row.level === 0 ? TERMS.L0 : TERMS.level}</title>
          {row.title}
        </text>
        <text className={row.due ? 'due' : 'dim'} x={row.caption.x} y={row.caption.y}>
          {row.caption.text}
        </text>
      </Marked>
      {row.lanes.map((lane) => (
        <text
          key={lane.title}
          className="dim"
          x={x - unit * 0.5}
          y={lane.y + lane.h / 2 + unit * 0.36}
          textAnchor="end"
          data-object={row.id}
        >
          <title>{lane.label}</title>
          {lane.title}
        </text>
      ))}
      {bars.length > 0 && <Bars bars={bars} row={row.box} marks={marks} />}
      {apart.map((table) => (
        <Table key={table.id} table={table} overlaps={row.laned} marks={marks} />
      ))}
      {row.note && (
        <text className="note" x={row.note.x} y={row.note.y} textAnchor={row.note.anchor}>
          {row.note.text}
        </text>
      )}
    </g>
  );
});

interface BarsProps {
  bars: readonly TableShape[];
  row: Box;
  marks: Marks;
}

/**
 * Hundreds of tables as one outline: an element for each would cost more than a picture may take. The one under
 * the pointer or the keyboard, and any that stands out, is drawn above it as an object of its own.
 */
function Bars({ bars, row, marks }: BarsProps) {
  const isPassed = bars.some(({ id }) => marks.passed.has(id));
  const { select } = useSelection();
  const barOf = (event: MouseEvent<SVGRectElement>): string | null => {
    const picture = event.currentTarget.ownerSVGElement;
    if (!picture) return null;
    const { x, y } = placeIn(picture, event);
    return barAt(bars, x, y)?.id ?? null;
  };
  return (
    <>
      <path
        className={isPassed ? 'bars is-passed' : 'bars'}
        d={bars.map(({ box }) => outline(box)).join('')}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the whole picture */}
      <rect
        className="hit bars-hit"
        x={row.x}
        y={row.y}
        width={row.w}
        height={row.h}
        onPointerMove={(event) => marks.onHover(barOf(event))}
        onPointerLeave={() => marks.onHover(null)}
        onClick={(event) => {
          const bar = barOf(event);
          if (bar !== null) select(bar);
        }}
      />
    </>
  );
}

/** Rounded to tenths of a pixel: finer places make the path longer and cannot be seen. */
function outline({ x, y, w, h }: Box): string {
  const width = w.toFixed(1);
  return `M${x.toFixed(1)} ${y.toFixed(1)}h${width}v${h.toFixed(1)}h-${width}z`;
}

interface TableProps {
  table: TableShape;
  overlaps: boolean;
  marks: Marks;
}

/** Whether two pictures of a table are the same: with hundreds of tables most of them are. */
function isSame(before: TableProps, after: TableProps): boolean {
  const [a, b] = [before.table, after.table];
  const [m, n] = [before.marks, after.marks];
  const { id } = b;
  return (
    a.id === id &&
    a.role === b.role &&
    a.empty === b.empty &&
    a.thin === b.thin &&
    a.box.x === b.box.x &&
    a.box.y === b.box.y &&
    a.box.w === b.box.w &&
    a.box.h === b.box.h &&
    a.label() === b.label() &&
    a.floor.y === b.floor.y &&
    a.deleted?.x === b.deleted?.x &&
    a.deleted?.w === b.deleted?.w &&
    sameCaptions(a.captions, b.captions) &&
    sameBeads(a.beads, b.beads) &&
    m.unit === n.unit &&
    before.overlaps === after.overlaps &&
    (m.selected === id) === (n.selected === id) &&
    (m.active === id) === (n.active === id) &&
    m.fresh.has(id) === n.fresh.has(id) &&
    followedText(m, id) === followedText(n, id) &&
    m.overlapped.has(id) === n.overlapped.has(id) &&
    m.asked.get(id) === n.asked.get(id) &&
    m.passed.has(id) === n.passed.has(id) &&
    m.damaged.get(id) === n.damaged.get(id) &&
    m.onHover === n.onHover
  );
}

function sameBeads(a: readonly Bead[], b: readonly Bead[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ id, hue, box, isPale }, index) => {
      const other = b[index];
      return (
        id === other?.id &&
        hue === other.hue &&
        isPale === other.isPale &&
        box.x === other.box.x &&
        box.w === other.box.w
      );
    })
  );
}

function sameCaptions(a: readonly Caption[], b: readonly Caption[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ text, x, y }, index) => {
      const other = b[index];
      return text === other?.text && x === other.x && y === other.y;
    })
  );
}

const NO_SEQUENCES: ReadonlySet<number> = new Set();
const CAPTION_CLASSES = { number: 'strong', more: 'dim', version: 'mono version', key: 'mono' };

const Table = memo(function Table({ table, overlaps, marks }: TableProps) {
  const { x, y, w, h } = table.box;
  const r = Math.min(6, h / 3, w / 3);
  const classes = ['table', `role-${table.role}`, overlaps ? 'may-overlap' : ''];
  if (table.thin) classes.push('thin');
  if (table.empty) classes.push('is-empty');
  const held = marks.followed?.objects.get(table.id);
  // Beside its bead, or without one in place of the size.
  const isNamed =
    !held || newestOf(table.beads, marks.followed?.sequences ?? NO_SEQUENCES) === undefined;
  const captions = held && isNamed ? followedCaptions(table, held, marks.unit) : table.captions;
  return (
    <Marked
      beads={isNamed ? [] : table.beads}
      id={table.id}
      box={table.box}
      label={table.label()}
      marks={marks}
      className={classes.filter(Boolean).join(' ')}
    >
      {table.thin && table.role === 'table' ? (
        // One of hundreds: one element instead of three.
        <rect className="bar" x={x} y={y} width={w} height={h} rx={r} />
      ) : (
        <>
          <rect className="paper" x={x} y={y} width={w} height={h} rx={r} />
          {!table.empty && <rect className="body" x={x} y={y} width={w} height={h} rx={r} />}
          <rect className="edge" x={x} y={y} width={w} height={h} rx={r} />
        </>
      )}
      {table.role === 'output' && !table.empty && w > 12 && h > 10 && (
        <rect className="inner-edge" x={x + 3} y={y + 3} width={w - 6} height={h - 6} rx={r / 2} />
      )}
      {table.beads.length > 0 ? (
        <Beads beads={table.beads} />
      ) : (
        !table.thin && !table.empty && <Strip box={table.floor} />
      )}
      {table.deleted && (
        <rect
          className="deleted"
          x={table.deleted.x}
          y={table.deleted.y}
          width={table.deleted.w}
          height={table.deleted.h}
        />
      )}
      {captions.map(({ of, text, x: at, y: baseline, anchor }) => (
        <text
          key={`${of} ${anchor}`}
          className={CAPTION_CLASSES[of]}
          x={at}
          y={baseline}
          textAnchor={anchor}
        >
          {text}
        </text>
      ))}
    </Marked>
  );
}, isSame);
