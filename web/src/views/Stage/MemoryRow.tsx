import { holdsEntry, pathsIn } from '../../model/followed';
import { TERMS } from '../../model/terms.generated';
import { classes } from '../../model/words';
import { Beads, hued, Strip } from './Beads';
import { Marked, type Marks } from './Marked';
import { Rect } from './Rect';
import { durableLine } from './scene/durable';
import { versionTexts } from './scene/followed';
import type { Rows, Span } from './scene/geometry';
import { recordId, type WalShape } from './scene/logs';
import type { MemoryScene, MemtableShape } from './scene/memory';
import { boldWidth, keyWidth, textWidth } from './scene/text';

/** At the end of the line between memory and files. */
const DURABLE = 'not durable above · durable below';

interface Props {
  memory: MemoryScene;
  rows: Rows;
  marks: Marks;
}

/** Memtables, the line below which everything is durable, and the logs. */
export function MemoryRow({ memory, rows, marks }: Props) {
  const { unit } = rows;
  const worded = rows.right - textWidth(DURABLE, unit) - unit * 0.5;
  const reach = memory.wals.map(({ whole }) => whole.x + whole.w);
  const isWorded = Math.max(...reach, 0) < worded;
  return (
    <>
      {memory.memtables.map((shape) => (
        <Memtable key={shape.id} shape={shape} rows={rows} marks={marks} />
      ))}
      {rows.wal.h > 0 && (
        <>
          <g data-moving="durable">
            {isWorded && (
              <text className="dim" x={rows.right} y={rows.durableY + unit * 0.34} textAnchor="end">
                {DURABLE}
              </text>
            )}
            <path
              className="durable"
              d={durableLine(memory.wals, rows, isWorded ? worded : rows.right)}
            />
          </g>
          <text className="row-label" data-moving="wal-row" x={unit} y={middle(rows.wal, unit)}>
            <title>{TERMS.WAL}</title>
            WAL
          </text>
        </>
      )}
      {memory.moreWals && (
        <text className="dim" x={memory.moreWals.x} y={memory.moreWals.y} textAnchor="end">
          {memory.moreWals.text}
        </text>
      )}
      {memory.wals.map((shape) => (
        <Wal key={shape.id} shape={shape} unit={unit} marks={marks} />
      ))}
    </>
  );
}

/** Baseline of a text in the middle of a row [px]. */
function middle({ y, h }: Span, unit: number): number {
  return y + h / 2 + unit * 0.36;
}

interface MemtableProps {
  shape: MemtableShape;
  rows: Rows;
  marks: Marks;
}

/** A memtable: its entries on the key axis, the newest of them by name, and how full it is. */
function Memtable({ shape, rows: { unit }, marks }: MemtableProps) {
  const { x, y, w, h } = shape.box;
  const { immutable } = shape.memtable;
  const part = shape.progress ?? shape.fill;
  const isFollowed = ({ sequence }: { sequence: number }) =>
    marks.followed?.sequences.has(sequence) ?? false;
  return (
    <Marked
      id={shape.id}
      box={shape.box}
      label={shape.label}
      marks={marks}
      // A label is all that the followed version needs.
      beads={shape.labels.some(isFollowed) ? [] : shape.beads}
      className="memtable"
    >
      <text className="row-label" x={unit} y={shape.titleY}>
        <title>{TERMS.memtable}</title>
        {shape.title}
      </text>
      <text className="dim" x={shape.detailX} y={shape.detailY}>
        {shape.detail}
      </text>
      <Rect className="paper" box={shape.box} r={6} />
      {immutable && <Rect box={shape.box} r={6} fill="url(#hatch)" />}
      <Rect className="edge" box={shape.box} r={6} />
      {shape.band && <Strip box={shape.band} />}
      {shape.labels.map((each) => (
        <text
          key={each.sequence}
          className={classes('mono', each.deleted && 'deleted', isFollowed(each) && 'followed')}
          x={each.x}
          y={each.y}
          textAnchor="middle"
        >
          {each.text}
        </text>
      ))}
      <Beads beads={shape.beads} />
      <Rect
        className={shape.progress === null ? 'meter' : 'progress'}
        box={{ x: x + 2, y: y + h - 4, w: (w - 4) * part, h: 3 }}
      />
    </Marked>
  );
}

function Wal({ shape, unit, marks }: { shape: WalShape; unit: number; marks: Marks }) {
  const { x, y, w, h } = shape.box;
  const { whole } = shape;
  const cells = shape.ticks.length;
  const held = logVersion(shape, marks);
  const paths = pathsIn(marks.followed, shape.id);
  return (
    <Marked id={shape.id} box={whole} label={shape.label} marks={marks} className="wal">
      <Rect className="hit" box={whole} />
      {cells === 0 && <rect className="empty" x={x} y={y} width={Math.min(26, w)} height={h} />}
      <path className="tick" d={ticksPath(shape, true)} />
      <path className="tick unsynced" d={ticksPath(shape, false)} />
      {shape.ticks.map(
        (tick) =>
          tick.name === null &&
          tick.hue !== null && (
            <Rect
              key={tick.x}
              className={`key-tick${tick.synced ? '' : ' unsynced'}`}
              data-moving={movingId(shape, tick.record)}
              style={hued(tick.hue)}
              box={{ ...tick, h }}
            />
          ),
      )}
      {shape.ticks.map((tick) =>
        tick.name === null ? null : (
          <NamedRecord
            key={tick.x}
            tick={tick}
            shape={shape}
            unit={unit}
            isFollowed={holdsEntry(paths, `record:${tick.record}`)}
          />
        ),
      )}
      <text className="tail" x={whole.x} y={shape.titleY}>
        <tspan className="strong">{shape.title}</tspan>
        <tspan className="dim" dx={unit * 0.4}>
          {shape.detail}
        </tspan>
        {held && (
          <tspan className="mono" dx={unit * 0.6}>
            {held}
          </tspan>
        )}
      </text>
    </Marked>
  );
}

/** The version of the followed key in a log, after its caption as far as there is room. */
function logVersion({ whole, title, detail, id }: WalShape, { followed, unit }: Marks): string {
  const held = followed?.objects.get(id);
  if (!held || detail === '') return '';
  const used = boldWidth(title, unit) + textWidth(detail, unit) + unit * 1.5;
  const isFitting = (text: string) => used + keyWidth(text, unit) <= whole.w;
  return versionTexts(held).find(isFitting) ?? '';
}

interface RecordProps {
  tick: WalShape['ticks'][number];
  shape: WalShape;
  unit: number;
  isFollowed: boolean;
}

/** A record with the key that it writes. */
function NamedRecord({ tick, shape, unit, isFollowed }: RecordProps) {
  const { x, y, w, synced, hue, name, record } = tick;
  const { h } = shape.box;
  const classes = `record${synced ? '' : ' unsynced'}${isFollowed ? ' followed' : ''}`;
  return (
    <g className={classes} data-moving={movingId(shape, record)}>
      <rect className="record-body" x={x} y={y} width={w} height={h} rx={3} />
      {hue !== null && (
        <rect className="key-mark" style={hued(hue)} x={x + 1} y={y + 1} width={4} height={h - 2} />
      )}
      <text className="mono" x={x + w / 2 + 2} y={y + h / 2 + unit * 0.36} textAnchor="middle">
        {name}
      </text>
    </g>
  );
}

/** A record as an object that moves. */
function movingId({ id }: WalShape, record: number | null): string | undefined {
  return record === null ? undefined : recordId(id, record);
}

/** One path for all records of a kind that have no name. */
function ticksPath({ box, ticks }: WalShape, synced: boolean): string {
  return ticks
    .filter((tick) => tick.synced === synced && tick.name === null && tick.hue === null)
    .map(({ x, y, w }) => `M${x} ${y}h${w}v${box.h}h${-w}z`)
    .join('');
}
