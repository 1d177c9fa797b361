import { holdsEntry, pathsIn } from '../../model/followed';
import { TERMS } from '../../model/terms.generated';
import { Marked, type Marks } from './Marked';
import { durableLine } from './scene/durable';
import type { Rows, Span } from './scene/geometry';
import type { WalShape } from './scene/logs';
import type { MemoryScene, MemtableShape } from './scene/memory';
import { textWidth } from './scene/text';

/** At the end of the line between memory and files. */
const DURABLE = 'not durable above · durable below';

interface Props {
  memory: MemoryScene;
  rows: Rows;
  marks: Marks;
}

/** Memtables, the line below which everything is durable, and the logs. */
export function MemoryRow({ memory, rows, marks }: Props) {
  const { unit, line } = rows;
  const worded = rows.right - textWidth(DURABLE, unit) - unit * 0.5;
  const reach = [...memory.memtables, ...memory.wals].map(({ box }) => box.x + box.w);
  const isWorded = Math.max(...reach, 0) < worded;
  return (
    <>
      <text className="row-label" x={unit} y={rows.memory.y + line}>
        <title>{TERMS.memtable}</title>
        Memory
      </text>
      {memory.memtables.map((shape) => (
        <Memtable key={shape.id} shape={shape} rows={rows} marks={marks} />
      ))}
      {memory.hiddenMemtables > 0 && (
        <text className="dim" x={memory.hiddenX} y={rows.memory.y + line}>
          {memory.hiddenMemtables} newer
        </text>
      )}
      {isWorded && (
        <text className="dim" x={rows.right} y={rows.durableY + unit * 0.34} textAnchor="end">
          {DURABLE}
        </text>
      )}
      <text className="row-label" x={unit} y={middle(rows.wal, unit)}>
        <title>{TERMS.WAL}</title>
        WAL
      </text>
      <path
        className="durable"
        d={durableLine(memory.wals, rows, isWorded ? worded : rows.right)}
      />
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

/** A memtable: how full it is, and its newest entries. */
export function Memtable({ shape, rows: { unit, line }, marks }: MemtableProps) {
  const { x, y, w, h } = shape.box;
  const { immutable } = shape.memtable;
  const pad = unit * 0.5;
  const first = y + unit * 0.25 + line * 0.78;
  return (
    <Marked id={shape.id} box={shape.box} label={shape.label} marks={marks} className="memtable">
      <rect className="paper" x={x} y={y} width={w} height={h} rx={6} />
      {immutable ? (
        <rect x={x} y={y} width={w * shape.fill} height={h} rx={6} fill="url(#hatch)" />
      ) : (
        <rect className="fill" x={x} y={y} width={w * shape.fill} height={h} rx={6} />
      )}
      <rect className="edge" x={x} y={y} width={w} height={h} rx={6} />
      {immutable && (
        <rect className="label-back" x={x + 4} y={y + 3} width={w - 8} height={h - 7} rx={4} />
      )}
      <text className="strong" x={x + pad} y={first}>
        {shape.title}
      </text>
      {shape.detailBelow ? (
        <text x={x + pad} y={first + line}>
          {shape.detail}
        </text>
      ) : (
        <text x={x + w - pad} y={first} textAnchor="end">
          {shape.detail}
        </text>
      )}
      {shape.entries.map(({ sequence, text, deleted, x: at, y: baseline }) => (
        <text
          key={sequence}
          className={`mono${deleted ? ' deleted' : ''}${marks.followed?.sequences.has(sequence) ? ' followed' : ''}`}
          x={at}
          y={baseline}
        >
          {text}
        </text>
      ))}
      {shape.progress !== null && (
        <rect
          className="progress"
          x={x + 1}
          y={y + h - 5}
          width={(w - 2) * shape.progress}
          height={4}
        />
      )}
    </Marked>
  );
}

function Wal({ shape, unit, marks }: { shape: WalShape; unit: number; marks: Marks }) {
  const { x, y, w, h } = shape.box;
  const { whole } = shape;
  const cells = shape.ticks.length;
  const paths = pathsIn(marks.followed, shape.id);
  return (
    <Marked id={shape.id} box={whole} label={shape.label} marks={marks} className="wal">
      <rect className="hit" x={whole.x} y={whole.y} width={whole.w} height={whole.h} />
      {cells === 0 && <rect className="empty" x={x} y={y} width={Math.min(26, w)} height={h} />}
      <path className="tick" d={ticksPath(shape, true)} />
      <path className="tick unsynced" d={ticksPath(shape, false)} />
      {shape.ticks.map(
        (tick) =>
          tick.name !== null && (
            <g
              key={tick.x}
              className={`record${tick.synced ? '' : ' unsynced'}${
                holdsEntry(paths, `record:${tick.record}`) ? ' followed' : ''
              }`}
            >
              <rect className="record-body" x={tick.x} y={y} width={tick.w} height={h} rx={3} />
              <text
                className="mono"
                x={tick.x + tick.w / 2}
                y={y + h / 2 + unit * 0.36}
                textAnchor="middle"
              >
                {tick.name}
              </text>
            </g>
          ),
      )}
      <text className="tail" x={whole.x} y={shape.titleY}>
        <tspan className="strong">{shape.title}</tspan>
        <tspan className="dim" dx={unit * 0.4}>
          {shape.detail}
        </tspan>
      </text>
    </Marked>
  );
}

/** One path for all records of a kind that have no name. */
function ticksPath({ box, ticks }: WalShape, synced: boolean): string {
  return ticks
    .filter((tick) => tick.synced === synced && tick.name === null)
    .map(({ x, w }) => `M${x} ${box.y}h${w}v${box.h}h${-w}z`)
    .join('');
}
