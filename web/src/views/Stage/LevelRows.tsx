import { type MouseEvent, memo } from 'react';
import { classes } from '../../model/words';
import { useSelection } from '../shared/contexts';
import { placeIn } from '../shared/placeIn';
import { Beads, Strip } from './Beads';
import { followedText, isMarked, Marked, type Marks } from './Marked';
import { Rect } from './Rect';
import { newestOf } from './scene/beads';
import { followedCaptions } from './scene/followed';
import type { Box } from './scene/geometry';
import type { Gauge, LevelRow } from './scene/levels';
import { barAt, type TableShape } from './scene/tables';
import { boldWidth } from './scene/text';

interface Props {
  row: LevelRow;
  marks: Marks;
}

/** One level: its name and score in the gutter, its tables on the key axis. */
export const LevelRowView = memo(function LevelRowView({ row, marks }: Props) {
  const { y, h, x, w } = row.box;
  const { unit } = marks;
  const bars = row.tables.filter((table) => table.bar);
  const apart = row.tables.filter((table) => !table.bar || isMarked(marks, table.id));
  return (
    <g className={`level level-${Math.min(row.level, 3)}`}>
      <line className="track" x1={x} x2={x + w} y1={y + h + 3} y2={y + h + 3} />
      <Head row={row} marks={marks} />
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
      {row.gone.map((gone) => (
        <GoneTable key={gone.number} gone={gone} unit={unit} />
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

/** The name of a level, and how full it is. */
function Head({ row, marks }: Props) {
  const { unit } = marks;
  const { box, caption, gauge } = row;
  const head = { ...box, x: unit * 0.5, w: box.x - unit };
  if (row.isPlain) {
    return (
      <text className="dim" x={unit} y={row.titleY}>
        {row.title}
      </text>
    );
  }
  return (
    <Marked id={row.id} box={head} label={row.label} marks={marks} className="level-head">
      <Rect className="hit" box={head} />
      {row.hint && <title>{row.hint}</title>}
      <text className="row-label" x={unit} y={row.titleY}>
        {row.title}
      </text>
      <text className={row.due ? 'due' : 'dim'} x={caption.x} y={caption.y}>
        {caption.text}
      </text>
      {gauge && <GaugeView gauge={gauge} />}
    </Marked>
  );
}

/** How full a level is, beside its target. */
export function GaugeView({ gauge: { box, share } }: { gauge: Gauge }) {
  return (
    <g className={share > 1 ? 'gauge is-over' : 'gauge'}>
      <Rect className="gauge-all" box={box} />
      <Rect className="gauge-filled" box={{ ...box, w: box.w * Math.min(share, 1) }} />
    </g>
  );
}

/** The former place of a table that a step removed. */
function GoneTable({
  gone: { number, box },
  unit,
}: {
  gone: LevelRow['gone'][number];
  unit: number;
}) {
  const label = `was ${number}`;
  const isNamed = box.h > unit && box.w > boldWidth(label, unit) + unit;
  return (
    <g className="gone">
      <title>{`table ${number} left the level in this step`}</title>
      <Rect className="gone-box" box={box} r={Math.min(6, box.h / 3)} />
      {isNamed && (
        <text className="note" x={box.x + unit * 0.5} y={box.y + box.h / 2 + unit * 0.36}>
          {label}
        </text>
      )}
    </g>
  );
}

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
      {[...byShade(bars)].map(([shade, alike]) => (
        <path
          key={shade}
          className={`bars${isPassed ? ' is-passed' : ''}${shade === null ? '' : ' shaded'}`}
          style={shadeStyle(shade)}
          d={alike.map(({ box }) => outline(box)).join('')}
        />
      ))}
      <Rect
        className="hit bars-hit"
        box={row}
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

/** Shades of bars; finer ones look the same. */
const SHADE_STEPS = 8;

function byShade(bars: readonly TableShape[]): Map<number | null, TableShape[]> {
  const groups = new Map<number | null, TableShape[]>();
  for (const bar of bars) {
    const shade = bar.table?.shade ?? null;
    const step = shade === null ? null : Math.round(shade * SHADE_STEPS) / SHADE_STEPS;
    const alike = groups.get(step) ?? [];
    alike.push(bar);
    groups.set(step, alike);
  }
  return groups;
}

function shadeStyle(shade: number | null) {
  return shade === null ? undefined : { fillOpacity: 0.06 + 0.6 * shade };
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
  const { id, label } = after.table;
  const [m, n] = [before.marks, after.marks];
  return (
    isEqual(before.table, after.table) &&
    before.table.label() === label() &&
    before.overlaps === after.overlaps &&
    m.unit === n.unit &&
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

/** Whether two shapes have the same values; their functions are not compared. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b || typeof a === 'function') return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => isEqual(Reflect.get(a, name), Reflect.get(b, name)))
  );
}

const NO_SEQUENCES: ReadonlySet<number> = new Set();
const CAPTION_CLASSES = { number: 'strong', more: 'dim', version: 'mono version', key: 'mono' };

const Table = memo(function Table({ table, overlaps, marks }: TableProps) {
  const { box } = table;
  const { w, h } = box;
  const { isNew, isDeleted, shade = null } = table.table ?? {};
  const r = Math.min(6, h / 3, w / 3);
  const held = marks.followed?.objects.get(table.id);
  // Beside its bead, or in place of the size: without a bead, and where it is but a line below the words.
  const own = held && newestOf(table.beads, marks.followed?.sequences ?? NO_SEQUENCES);
  const isNamed = !own || own.box.h < marks.unit / 2;
  const captions = held && isNamed ? followedCaptions(table, held, marks.unit) : table.captions;
  return (
    <Marked
      beads={isNamed ? [] : table.beads}
      id={table.id}
      box={table.box}
      label={table.label()}
      marks={marks}
      className={classes(
        `table role-${table.role}`,
        overlaps && 'may-overlap',
        isNew && 'is-new',
        isDeleted && 'is-deleted',
        table.thin && 'thin',
        table.empty && 'is-empty',
      )}
    >
      {table.thin && table.role === 'table' ? (
        // One of hundreds: one element instead of three.
        <Rect className="bar" box={box} r={r} />
      ) : (
        <>
          <Rect className="paper" box={box} r={r} />
          {!table.empty && <Rect className="body" box={box} r={r} />}
          <Rect className="edge" box={box} r={r} />
        </>
      )}
      {shade !== null && <Rect className="shaded" box={box} r={r} style={shadeStyle(shade)} />}
      {table.role === 'output' && !table.empty && w > 12 && h > 10 && (
        <Rect className="inner-edge" box={box} grow={-3} r={r / 2} />
      )}
      {table.beads.length > 0 ? (
        <Beads beads={table.beads} />
      ) : (
        !table.thin && !table.empty && <Strip box={table.floor} />
      )}
      {table.tombstones && <Rect className="tombstones" box={table.tombstones} />}
      {table.deleted && <Rect className="deleted" box={table.deleted} />}
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
