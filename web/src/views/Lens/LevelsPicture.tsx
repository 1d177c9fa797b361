import './LevelsPicture.css';

import { useMemo, useRef } from 'react';
import { Crumbs } from '../Stage/Crumbs';
import { DamageSigns } from '../Stage/DamageSigns';
import { KeyAxisView } from '../Stage/KeyAxisView';
import { LevelRowView } from '../Stage/LevelRows';
import { type Marks, NO_MARKS } from '../Stage/Marked';
import { OpenedView } from '../Stage/Opened';
import { Picture, usePointed, useRoom } from '../Stage/Picture';
import { damageMarks } from '../Stage/scene/damage';
import { useMotion } from '../Stage/useMotion';
import { useRecords } from '../Stage/useRecords';
import { useTable } from '../Stage/useTable';
import { useEntering, useZoom } from '../Stage/useZoom';
import { useViews } from '../shared/contexts';
import { useDirectory } from './asking';
import { FileRowView } from './FileRowView';
import {
  damagesOf,
  type LevelsInput,
  type LevelsScene,
  levelsScene,
  reachOf,
} from './scene/levels';
import { openedRecords, openedTable } from './scene/openedFile';

export interface PictureProps extends Omit<LevelsInput, 'hasFamilies' | 'inside'> {
  selected: string | null;
  /** Shows the bytes of a file, or of a part of it. */
  onBytes(address: string): void;
}

const WIDTH_MIN = 560;
const NO_VIEW = { levels: [] };

/** The levels of a family on one key axis. */
export function LevelsPicture(props: PictureProps) {
  const { answer, before, steps, shade, isPast, selected, onBytes } = props;
  const host = useRef<HTMLDivElement>(null);
  const { hasFamilies, opened: path } = useDirectory();
  const { lookInside } = useViews();
  const { width, height } = useRoom(host, WIDTH_MIN);
  const pointed = usePointed();
  const table = useMemo(() => openedTable(answer, path), [answer, path]);
  const file = useMemo(() => openedRecords(answer, path), [answer, path]);
  const ofTable = useTable(table, { opened: path, selection: selected });
  const ofFile = useRecords(file);
  const known = ofTable ?? ofFile;
  const inside = useMemo(() => known && { ...known, selected }, [known, selected]);
  const input = useMemo(
    () => ({ answer, before, steps, shade, isPast, hasFamilies, inside }),
    [answer, before, steps, shade, isPast, hasFamilies, inside],
  );
  const scene = useMemo(() => levelsScene(input, width, height), [input, width, height]);
  const { rows, opened } = scene;
  useMotion(host, scene, 'forward');
  const damaged = useMemo(() => damageMarks(NO_VIEW, scene, damagesOf(input)), [scene, input]);
  const { hovered, focused, setHovered } = pointed;
  const active = hovered ?? focused;
  const reach = useMemo(() => reachOf(scene, active ?? selected), [scene, active, selected]);
  const has = (id: string) => (openedTable(answer, id) ?? openedRecords(answer, id)) !== null;
  const showBytes = (id: string) => {
    const of = openedTable(answer, id);
    onBytes(of ? `${of.file.slice(1)}${id.slice(id.indexOf('/'))}` : id.slice(1));
  };
  const zoom = useZoom(host, opened, hovered, { has, lookInside, showBytes });
  useEntering(opened, pointed);
  const marks: Marks = {
    ...{ ...NO_MARKS, unit: rows.unit, active, focused, onHover: setHovered },
    selected: opened ? null : selected,
    overlapped: reach?.ids ?? NO_MARKS.overlapped,
    damaged: new Map(damaged.map(({ id, text }) => [id, text])),
  };
  return (
    <Picture
      {...{ host, scene, pointed, selected, zoom }}
      overlap={opened ? undefined : reach?.box}
      beside={opened && <Crumbs opened={opened} unit={rows.unit} />}
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
      {opened && <OpenedView opened={opened} marks={{ ...marks, selected }} />}
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
