import './LevelsPicture.css';

import { useMemo, useRef } from 'react';
import { DamageSigns } from '../Stage/DamageSigns';
import { KeyAxisView } from '../Stage/KeyAxisView';
import { LevelRowView } from '../Stage/LevelRows';
import { type Marks, NO_MARKS } from '../Stage/Marked';
import { Picture, usePointed, useRoom } from '../Stage/Picture';
import { damageMarks } from '../Stage/scene/damage';
import { useMotion } from '../Stage/useMotion';
import { useDirectory } from './asking';
import { FileRowView } from './FileRowView';
import {
  damagesOf,
  type LevelsInput,
  type LevelsScene,
  levelsScene,
  reachOf,
} from './scene/levels';

interface Props extends Omit<LevelsInput, 'hasFamilies'> {
  selected: string | null;
}

const WIDTH_MIN = 560;
const NO_VIEW = { levels: [] };

/** The levels of a family on one key axis. */
export function LevelsPicture(props: Props) {
  const { answer, before, steps, shade, isPast, selected } = props;
  const host = useRef<HTMLDivElement>(null);
  const { hasFamilies } = useDirectory();
  const { width, height } = useRoom(host, WIDTH_MIN);
  const pointed = usePointed();
  const input = useMemo(
    () => ({ answer, before, steps, shade, isPast, hasFamilies }),
    [answer, before, steps, shade, isPast, hasFamilies],
  );
  const scene = useMemo(() => levelsScene(input, width, height), [input, width, height]);
  useMotion(host, scene, 'forward');
  const damaged = useMemo(() => damageMarks(NO_VIEW, scene, damagesOf(input)), [scene, input]);
  const { hovered, focused, setHovered } = pointed;
  const active = hovered ?? focused;
  const reach = useMemo(() => reachOf(scene, active ?? selected), [scene, active, selected]);
  const { rows } = scene;
  const marks: Marks = {
    ...{ ...NO_MARKS, unit: rows.unit, selected, active, focused, onHover: setHovered },
    overlapped: reach?.ids ?? NO_MARKS.overlapped,
    damaged: new Map(damaged.map(({ id, text }) => [id, text])),
  };
  return (
    <Picture
      {...{ host, scene, pointed, selected }}
      overlap={reach?.box}
      id="lens-stage"
      label={`Levels of the ${hasFamilies ? 'family' : 'database'}.`}
      className={shade.of === 'level' ? 'lens-stage' : 'lens-stage is-shaded'}
    >
      {scene.levels.map((row) => (
        <LevelRowView key={row.id} row={row} marks={marks} />
      ))}
      {scene.files.map((row) => (
        <FileRowView key={row.title} {...{ row, rows, marks }} />
      ))}
      <DamageSigns damaged={damaged} unit={rows.unit} />
      <KeyAxisView rows={rows} ticks={scene.ticks} name={axisName(scene, answer.byRank)} />
    </Picture>
  );
}

/** What stands on the axis: the letters that all keys begin with, which their labels leave out. */
function axisName({ shared }: LevelsScene, byRank: boolean): string {
  if (byRank) return 'order of files';
  const name = shared === '' ? 'keys' : `${shared}…`;
  return name.length > 17 ? `…${name.slice(-16)}` : name;
}
