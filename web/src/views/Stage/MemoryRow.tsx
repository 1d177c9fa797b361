import { Marked, type Marks } from './Marked';
import type { Rows } from './scene/geometry';
import type { MemoryScene, MemtableShape, WalShape } from './scene/memory';

interface Props {
  memory: MemoryScene;
  rows: Rows;
  marks: Marks;
}

/** Memtables, the line below which everything is durable, and the logs. */
export function MemoryRow({ memory, rows, marks }: Props) {
  return (
    <>
      <text className="row-label" x={16} y={rows.memory.y + 24}>
        Memory
      </text>
      {memory.memtables.map((shape) => (
        <Memtable key={shape.id} shape={shape} marks={marks} />
      ))}
      {memory.hiddenMemtables > 0 && (
        <text className="dim t13" x={memory.hiddenX} y={rows.memory.y + 34}>
          {memory.hiddenMemtables} newer …
        </text>
      )}
      <line className="durable" x1={16} x2={rows.right} y1={rows.durableY} y2={rows.durableY} />
      <text className="dim t13 line-text" x={rows.right} y={rows.durableY - 6} textAnchor="end">
        memory above · durable below
      </text>
      <text className="row-label" x={16} y={rows.wal.y + 16}>
        WAL
      </text>
      {memory.wals.map((shape) => (
        <Wal key={shape.id} shape={shape} marks={marks} />
      ))}
    </>
  );
}

function Memtable({ shape, marks }: { shape: MemtableShape; marks: Marks }) {
  const { x, y, w, h } = shape.box;
  const { immutable } = shape.memtable;
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
        <rect className="label-back" x={x + 8} y={y + 8} width={w - 16} height={40} rx={4} />
      )}
      <text className="strong" x={x + 12} y={y + 24}>
        {shape.title}
      </text>
      {w > shape.title.length * 9.4 + 36 && (
        <path className="glyph" d={(immutable ? lock : pencil)(x + w - 22, y + 12)} />
      )}
      <text className="t13" x={x + 12} y={y + 44}>
        {shape.detail}
      </text>
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

function Wal({ shape, marks }: { shape: WalShape; marks: Marks }) {
  const { x, y, w, h } = shape.box;
  const cells = shape.ticks.length;
  // A ring goes around the label, too.
  const box = { x, y, w, h: h + 17 };
  return (
    <Marked id={shape.id} box={box} label={shape.label} marks={marks} className="wal">
      <rect className="hit" x={x} y={y - 2} width={w} height={h + 20} />
      {cells === 0 && <rect className="empty" x={x} y={y} width={26} height={h} rx={2} />}
      <path className="tick" d={ticksPath(shape, true)} />
      <path className="tick unsynced" d={ticksPath(shape, false)} />
      {shape.boundary !== null && (
        <line
          className="boundary"
          x1={shape.boundary}
          x2={shape.boundary}
          y1={y - 5}
          y2={y + h + 5}
        />
      )}
      <text className="t13 tail" x={x} y={y + h + 16}>
        <tspan className="strong">{shape.title}</tspan>
        <tspan className="dim" dx={6}>
          {shape.detail}
        </tspan>
      </text>
    </Marked>
  );
}

/** One path for all marks of a kind. */
function ticksPath({ box, ticks }: WalShape, synced: boolean): string {
  return ticks
    .filter((tick) => tick.synced === synced)
    .map(({ x, w }) => `M${x} ${box.y}h${w}v${box.h}h${-w}z`)
    .join('');
}

function lock(x: number, y: number): string {
  return `M${x} ${y + 6}h12v9h-12zM${x + 2.5} ${y + 6}v-2.5a3.5 3.5 0 0 1 7 0v2.5h-2v-2.5a1.5 1.5 0 0 0-3 0v2.5z`;
}

function pencil(x: number, y: number): string {
  return `M${x} ${y + 15}l1-4 8-8 3 3-8 8zM${x + 10} ${y + 2}l1.2-1.2 3 3-1.2 1.2z`;
}
