import { type MouseEvent, memo } from 'react';
import { counted, size } from '../../model/words';
import type { Box } from '../Stage/scene/geometry';
import { boldWidth, fitting } from '../Stage/scene/text';
import { placeIn } from '../shared/placeIn';
import { Alert } from './Alert';
import { type LensMarks, pickable } from './marks';
import type { Places } from './scene/geometry';
import {
  type Caption,
  type GoneShape,
  type LevelShape,
  type TableShape,
  tableAt,
} from './scene/levels';
import { percent, shortKey, tombstoneShare } from './scene/words';

interface Props {
  level: LevelShape;
  places: Places;
  marks: LensMarks;
}

/** One level: its name and size in the gutter, its line on the key axis, and the tables removed by a step. */
export function LevelView({ level, places, marks }: Props) {
  const { place, gone, isDense } = level;
  const { unit, left, right } = places;
  return (
    <g className={`level level-${Math.min(place.from, 3)}${place.isUnused ? ' unused' : ''}`}>
      <Head level={level} places={places} marks={marks} />
      <line className="track" x1={left} x2={right} y1={place.y + place.h} y2={place.y + place.h} />
      {isDense && <Dense level={level} places={places} marks={marks} />}
      {gone.map((shape) => (
        <Gone key={shape.number} shape={shape} unit={unit} />
      ))}
      {level.note !== '' && gone.length === 0 && (
        <text className="note dim" x={left} y={place.y + place.h / 2 + unit * 0.36}>
          {level.note}
        </text>
      )}
    </g>
  );
}

function Head({ level, places, marks }: Props) {
  const { place, title, isOver, id } = level;
  const { unit, line, left } = places;
  const isSelected = marks.selected === id;
  const [captions, isTwo] = captionsOf(level, places);
  const height = (isTwo ? 2 : 1) * line + (level.filled === null ? 0 : GAUGE_H + 3);
  const top = place.y + (place.h - height) / 2;
  const y = top + line * 0.76;
  if (place.isUnused) {
    return (
      <text className="dim" x={unit} y={y}>
        {title}
      </text>
    );
  }
  const label = [title, counted(level.tables.length, 'table'), ...captions].join(', ');
  return (
    <g {...pickable(id, marks, 'level-head', label)}>
      {level.whyNone !== '' && <title>{level.whyNone}</title>}
      <rect className="hit" x={0} y={place.y} width={left - unit / 2} height={place.h} />
      {isSelected && (
        <rect
          className="pick-outer"
          x={3}
          y={place.y}
          width={left - unit}
          height={place.h}
          rx={6}
        />
      )}
      <text className="row-label" x={unit} y={y}>
        {title}
      </text>
      {captions.map((caption) => (
        <text
          key={caption}
          className={isOver ? 'due' : 'dim'}
          x={isTwo ? unit : unit * 3}
          y={isTwo ? y + line : y}
        >
          {caption}
        </text>
      ))}
      {level.filled !== null && (
        <Gauge
          filled={level.filled}
          box={{ x: unit, y: top + height - GAUGE_H, w: left - 3 * unit, h: GAUGE_H }}
        />
      )}
    </g>
  );
}

const GAUGE_H = 6;

/** The size of a level, below its name or beside it. */
function captionsOf({ place, caption }: LevelShape, { unit, line, left }: Places) {
  if (caption === '') return [[], false] as const;
  const isTwo = place.h >= 2 * line + GAUGE_H + 4;
  const room = left - unit * (isTwo ? 1.5 : 3.5);
  const short = caption.replace(/ of .*/, '');
  return [[fitting([caption, short], room, unit)].filter((word) => word !== ''), isTwo] as const;
}

/** How full a level is, compared with its target. */
function Gauge({ filled, box: { x, y, w, h } }: { filled: number; box: Box }) {
  return (
    <g className={filled > 1 ? 'lens-gauge is-over' : 'lens-gauge'}>
      <rect className="lens-gauge-all" x={x} y={y} width={w} height={h} />
      <rect className="lens-gauge-filled" x={x} y={y} width={w * Math.min(filled, 1)} height={h} />
    </g>
  );
}

/** Hundreds of tables as one outline; those that stand out are drawn above it. */
function Dense({ level, places, marks }: Props) {
  const { tables, place } = level;
  const shapeOf = (event: MouseEvent<SVGRectElement>) => {
    const picture = event.currentTarget.ownerSVGElement;
    if (!picture) return null;
    const { x, y } = placeIn(picture, event);
    return tableAt(tables, x, y);
  };
  return (
    <>
      {[...byShade(tables)].map(([shade, alike]) => (
        <path
          key={shade}
          className={`bars${shade === null ? '' : ' shaded'}`}
          style={shade === null ? undefined : { fillOpacity: opacityOf(shade) }}
          d={alike.map(({ box }) => outline(box)).join('')}
        />
      ))}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the whole picture */}
      <rect
        className="hit bars-hit"
        x={places.left}
        y={place.y}
        width={places.right - places.left}
        height={place.h}
        onPointerMove={(event) => marks.onHover(shapeOf(event)?.id ?? null)}
        onPointerLeave={() => marks.onHover(null)}
        onClick={(event) => {
          const shape = shapeOf(event);
          if (shape) marks.onSelect(shape.id);
        }}
      />
    </>
  );
}

/** Number of shades of a dense level; finer ones look the same. */
const SHADE_STEPS = 8;

function byShade(tables: readonly TableShape[]): Map<number | null, TableShape[]> {
  const groups = new Map<number | null, TableShape[]>();
  for (const table of tables) {
    const { shade } = table;
    const step = shade === null ? null : Math.round(shade * SHADE_STEPS) / SHADE_STEPS;
    const group = groups.get(step) ?? [];
    group.push(table);
    groups.set(step, group);
  }
  return groups;
}

function opacityOf(shade: number): number {
  return 0.06 + 0.6 * shade;
}

function outline({ x, y, w, h }: Box): string {
  return `M${x.toFixed(1)} ${y.toFixed(1)}h${w.toFixed(1)}v${h.toFixed(1)}h-${w.toFixed(1)}z`;
}

const CAPTION_CLASSES = { number: 'strong', more: '', key: 'mono dim' };

/**
 * The tables of all levels, by number: an element that keeps its order among its siblings can glide from level to level.
 */
export function Tables({ levels, marks }: { levels: readonly LevelShape[]; marks: LensMarks }) {
  const isMarked = ({ id, table }: TableShape) =>
    id === marks.selected || id === marks.active || marks.overlapped.has(id) || table.isNew;
  const drawn = levels.flatMap(({ tables, isDense }) =>
    isDense ? tables.filter(isMarked) : tables,
  );
  drawn.sort((a, b) => a.table.number - b.table.number);
  return drawn.map((shape) => <TableView key={shape.id} shape={shape} marks={marks} />);
}

const TableView = memo(
  function TableView({ shape, marks }: { shape: TableShape; marks: LensMarks }) {
    const { id, table, box, level, captions, shade, tombstones } = shape;
    const { w, h } = box;
    const r = Math.min(6, h / 3, w / 3);
    const isSelected = marks.selected === id;
    const classes = ['table', `level-${Math.min(level, 3)}`];
    if (level === 0) classes.push('may-overlap');
    if (w < 12) classes.push('thin');
    if (table.isMissing) classes.push(marks.isPast ? 'is-deleted' : 'is-missing');
    if (table.isDamaged) classes.push('is-damaged');
    if (marks.overlapped.has(id)) classes.push('is-overlapped');
    return (
      <g
        {...pickable(id, marks, classes.join(' '), labelOf(shape, marks.isPast))}
        style={{ transform: `translate(${box.x}px, ${box.y}px)` }}
      >
        {table.isNew && <Frame w={w} h={h} grow={3} className="ring" />}
        {isSelected && <Frame w={w} h={h} grow={4} className="pick-outer" />}
        {isSelected && <Frame w={w} h={h} grow={2} className="pick-inner" />}
        <rect className="paper" width={w} height={h} rx={r} />
        <rect
          className={`body${shade === null ? '' : ' shaded'}`}
          style={shade === null ? undefined : { fillOpacity: opacityOf(shade) }}
          width={w}
          height={h}
          rx={r}
        />
        <rect className="edge" width={w} height={h} rx={r} />
        {tombstones && (
          <rect
            className="lens-tombstones"
            x={tombstones.x - box.x}
            y={tombstones.y - box.y}
            width={tombstones.w}
            height={tombstones.h}
          />
        )}
        <Captions captions={captions} box={box} />
        {(table.isDamaged || (table.isMissing && !marks.isPast)) && (
          <Alert x={w - Math.min(w / 2, 9)} y={-4} />
        )}
      </g>
    );
  },
  (before, after) => {
    const { id } = after.shape;
    const [m, n] = [before.marks, after.marks];
    return (
      before.shape === after.shape &&
      (m.selected === id) === (n.selected === id) &&
      (m.active === id) === (n.active === id) &&
      m.overlapped.has(id) === n.overlapped.has(id)
    );
  },
);

function Captions({ captions, box }: { captions: readonly Caption[]; box: Box }) {
  return captions.map(({ of, text, x, y, anchor }) => (
    <text
      key={`${of} ${anchor}`}
      className={CAPTION_CLASSES[of]}
      x={x - box.x}
      y={y - box.y}
      textAnchor={anchor}
    >
      {text}
    </text>
  ));
}

function Frame(props: { w: number; h: number; grow: number; className: string }) {
  const { w, h, grow, className } = props;
  return (
    <rect
      className={className}
      x={-grow}
      y={-grow}
      width={w + 2 * grow}
      height={h + 2 * grow}
      rx={6 + grow}
    />
  );
}

/** The former place of a table that the step removed. */
function Gone({ shape: { number, box }, unit }: { shape: GoneShape; unit: number }) {
  const { x, y, w, h } = box;
  const label = `was ${number}`;
  const isNamed = h > unit && w > boldWidth(label, unit) + unit;
  return (
    <g className="lens-gone">
      <title>{`table ${number} left the level in this step`}</title>
      <rect x={x} y={y} width={w} height={h} rx={Math.min(6, h / 3)} />
      {isNamed && (
        <text className="note" x={x + unit * 0.5} y={y + h / 2 + unit * 0.36}>
          {label}
        </text>
      )}
    </g>
  );
}

/** A table in words. */
function labelOf({ table, level }: TableShape, isPast: boolean): string {
  const share = tombstoneShare(table);
  return [
    `table ${table.number} in L${level}`,
    `${shortKey(table.smallest)} to ${shortKey(table.largest)}`,
    size(table.bytes),
    share === null || share === 0 ? '' : `${percent(share)} of its entries are tombstones`,
    table.isNew ? 'new in this step' : '',
    table.isMissing ? (isPast ? 'deleted since' : 'its file is missing') : '',
    table.isDamaged ? 'its file is damaged' : '',
  ]
    .filter(Boolean)
    .join(', ');
}
