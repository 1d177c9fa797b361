import { useMemo } from 'react';
import type { SideShown } from '../../model/comparison';
import { Patterns } from '../Stage/Ground';
import { LevelRowView } from '../Stage/LevelRows';
import { type Marks, NO_MARKS } from '../Stage/Marked';
import { Memtable } from '../Stage/MemoryRow';
import type { Size } from '../shared/useSize';
import { levelsScene } from './levels';

interface Props {
  shown: SideShown;
  size: Size;
  /** The runs that each level has room for. */
  lanes: readonly number[];
}

/** Memory in one line, and all levels: the picture of a side where the whole one has no room. */
export function LevelsPicture({ shown: { view, writing, fresh }, size, lanes }: Props) {
  const { width, height } = size;
  const { rows, memtables, levels } = useMemo(
    () => levelsScene(view, writing, width, height, lanes),
    [view, writing, width, height, lanes],
  );
  const { unit } = rows;
  const marks: Marks = useMemo(() => ({ ...NO_MARKS, unit, fresh }), [unit, fresh]);
  return (
    <div className="stage">
      <svg width={width} height={height} role="presentation" style={{ fontSize: unit }}>
        <Patterns rows={rows} />
        {memtables.map((shape) => (
          <Memtable key={shape.id} shape={shape} rows={rows} marks={marks} />
        ))}
        {levels.map((row) => (
          <LevelRowView key={row.id} row={row} marks={marks} />
        ))}
      </svg>
    </div>
  );
}
