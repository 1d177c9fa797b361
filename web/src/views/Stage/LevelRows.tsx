import { type MouseEvent, memo } from 'react';
import { useSelection } from '../shared/contexts';
import { isMarked, Marked, type Marks } from './Marked';
import type { Box } from './scene/geometry';
import { barAt, type LevelRow, STACKED_MIN, type TableShape } from './scene/levels';

interface Props {
  row: LevelRow;
  marks: Marks;
}

/** One level: its name and score in the gutter, its tables on the key axis. */
export const LevelRowView = memo(function LevelRowView({ row, marks }: Props) {
  const { y, h, x, w } = row.box;
  const tall = h >= 38;
  const head = { x: 10, y: y - 2, w: x - 26, h: tall ? 44 : 24 };
  const bars = row.tables.filter((table) => table.bar);
  const apart = row.tables.filter((table) => !table.bar || isMarked(marks, table.id));
  const labelled = row.note !== '' && row.tables.every((table) => table.thin);
  return (
    <g className={`level level-${Math.min(row.level, 3)}`}>
      <line className="track" x1={x} x2={x + w} y1={y + h + 3} y2={y + h + 3} />
      <Marked id={row.id} box={head} label={row.label} marks={marks} className="level-head">
        <rect className="hit" x={head.x} y={head.y} width={head.w} height={head.h} />
        <text className="row-label" x={16} y={y + (tall ? 18 : 15)}>
          {row.title}
        </text>
        <text
          className={row.due ? 't13 due' : 't13 dim'}
          x={tall ? 16 : 42}
          y={y + (tall ? 37 : 15)}
        >
          {row.due ? `▲ ${tall ? row.detail : row.detail.replace('score ', '')}` : row.detail}
        </text>
      </Marked>
      {row.lanes.map((lane) => (
        <text
          key={lane.title}
          className="t13 dim"
          x={x - 8}
          y={lane.y + lane.h / 2 + 4.7}
          textAnchor="end"
          data-object={row.id}
        >
          <title>{`run ${lane.title} of L${row.level}`}</title>
          {lane.title}
        </text>
      ))}
      {bars.length > 0 && <Bars bars={bars} row={row.box} marks={marks} />}
      {apart.map((table) => (
        <Table key={table.id} table={table} overlaps={row.laned} marks={marks} />
      ))}
      {row.note !== '' && (
        <text className="t13 note" x={x + w} y={labelled ? y + h / 2 + 5 : y - 3} textAnchor="end">
          {row.note}
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
  const { select } = useSelection();
  const barOf = (event: MouseEvent<SVGRectElement>): string | null => {
    const picture = event.currentTarget.ownerSVGElement?.getBoundingClientRect();
    if (!picture) return null;
    return barAt(bars, event.clientX - picture.left, event.clientY - picture.top)?.id ?? null;
  };
  return (
    <>
      <path className="bars" d={bars.map(({ box }) => outline(box)).join('')} />
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

/** With tenths of a pixel: more of them cannot be seen, but have to be read. */
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
    a.title === b.title &&
    a.detail === b.detail &&
    a.role === b.role &&
    a.empty === b.empty &&
    a.thin === b.thin &&
    a.box.x === b.box.x &&
    a.box.y === b.box.y &&
    a.box.w === b.box.w &&
    a.box.h === b.box.h &&
    a.label() === b.label() &&
    before.overlaps === after.overlaps &&
    (m.selected === id) === (n.selected === id) &&
    (m.active === id) === (n.active === id) &&
    m.fresh.has(id) === n.fresh.has(id) &&
    m.overlapped.has(id) === n.overlapped.has(id) &&
    m.reading.get(id) === n.reading.get(id) &&
    m.damaged.get(id) === n.damaged.get(id) &&
    m.onHover === n.onHover
  );
}

const Table = memo(function Table({ table, overlaps, marks }: TableProps) {
  const { x, y, w, h } = table.box;
  const r = Math.min(6, h / 3, w / 3);
  const stacked = h >= STACKED_MIN;
  const alone = table.detail === '' && w < 60;
  const classes = ['table', `role-${table.role}`, overlaps ? 'may-overlap' : ''];
  if (table.thin) classes.push('thin');
  if (table.empty) classes.push('is-empty');
  return (
    <Marked
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
      {table.title !== '' && (
        <text
          className="t13"
          x={alone ? x + w / 2 : x + 9}
          y={stacked ? y + 19 : y + h / 2 + 4.7}
          textAnchor={alone ? 'middle' : 'start'}
        >
          <tspan className="strong">{table.title}</tspan>
          {!stacked && table.detail !== '' && (
            <tspan className="dim" dx={8}>
              {table.detail}
            </tspan>
          )}
        </text>
      )}
      {stacked && table.title !== '' && (
        <text className="t13 dim" x={x + 9} y={y + 37}>
          {table.detail}
        </text>
      )}
    </Marked>
  );
}, isSame);
