import { type ComponentType, type ReactNode, useMemo, useRef } from 'react';
import type { DamageWords } from '../../model/damage';
import type { RecentWrites } from '../../model/engine.generated';
import type { Followed } from '../../model/followed';
import type { Way } from '../../model/page';
import { objectOf } from '../../model/selection';
import type { Page } from '../../model/shown';
import { usePageScale } from '../shared/usePageScale';
import type { Size } from '../shared/useSize';
import { DamageSigns } from './DamageSigns';
import { KeyAxisView } from './KeyAxisView';
import { KeyScaleButton } from './KeyScaleButton';
import { useKeyScale } from './keyScale';
import { LevelRowView } from './LevelRows';
import { ManifestRow } from './ManifestRow';
import type { Marks } from './Marked';
import { MemoryRow } from './MemoryRow';
import { Picture, type Pointed, usePointed, useRoom } from './Picture';
import type { KeyScale } from './scene/axis';
import type { Contents } from './scene/contents';
import { damageMarks } from './scene/damage';
import type { Rows } from './scene/geometry';
import type { Opened } from './scene/opened';
import { overlapOf, type Scene, type SceneInput, stageScene } from './scene/stage';
import { isUnread, UNREAD } from './scene/tree';
import { TransactionRow } from './TransactionRow';
import { useMotion } from './useMotion';
import { type Openers, useEntering, useZoom } from './useZoom';

interface Props {
  page: Pick<Page, 'view' | 'writing' | 'selection' | 'fresh'>;
  /** Its damaged objects. */
  damages?: DamageWords;
  /** The newest entries of its memtables, as far as they are known. */
  recent?: readonly RecentWrites[];
  /** The entries of its tables, as far as they are known. */
  contents?: Contents;
  /** The followed key, whose versions are marked. */
  followed?: Followed | null;
  /** The lookup and the merge on show, and the components that draw them. */
  lookup?: SceneInput['lookup'];
  merge?: SceneInput['merge'];
  /** The opened table, and what opens others; absent: none can be opened. */
  inside?: SceneInput['inside'];
  openers?: Openers;
  lines?: LinesOfStage;
  /** A button in the gutter below the words for the files: it covers nothing there. */
  aside?: ReactNode;
  /** The direction of the motion; `null`: objects do not move. */
  moves?: Way | null;
  lanes?: SceneInput['lanes'];
  /** Narrower stages scroll sideways [px]. */
  widthMin?: number;
}

/** Draws a lookup, a merge and an opened table; a picture without them does not load it. */
interface LinesOfStage {
  Drawn: ComponentType<{ scene: Scene }>;
  /** In place of a result that is hidden. */
  Question: ComponentType<{ scene: Scene }>;
  /** What is in an opened table, and the way back. */
  OpenedView: ComponentType<{ opened: Opened; marks: Marks }>;
  Crumbs: ComponentType<{ opened: Opened; unit: number }>;
}

const NOTHING: ReadonlySet<string> = new Set();
const NO_DAMAGES: DamageWords = new Map();
const NOT_ASKED = { words: new Map<string, string>(), passed: NOTHING };
/** The least width of the page's stage [px]. */
const WIDTH_MIN = 600;

/** The picture of the whole tree: one tab stop, walked through with the arrow keys. */
export function Stage(props: Props) {
  const { page, followed = null, widthMin = WIDTH_MIN, moves = 'forward', lines } = props;
  const { damages = NO_DAMAGES } = props;
  const host = useRef<HTMLDivElement>(null);
  const size = useRoom(host, widthMin);
  const pointed = usePointed();
  const scale = useKeyScale();
  const scene = useScene(props, size, scale, usePageScale(host, size));
  useMotion(host, scene, moves);
  const { marks, overlap, damaged } = useMarks(page, scene, damages, { ...pointed, followed });
  const { rows, opened } = scene;
  const zoom = useZoom(host, opened, pointed.hovered, props.openers ?? null);
  useEntering(opened, pointed);
  const inside = { ...marks, selected: page.selection };
  const beside = (
    <>
      {props.aside && !opened && <Aside rows={rows}>{props.aside}</Aside>}
      {lines && <lines.Question scene={scene} />}
      {lines && opened && <lines.Crumbs opened={opened} unit={rows.unit} />}
      {scene.ticks.length > 0 && <KeyScaleButton scale={scale} rows={rows} />}
    </>
  );
  return (
    <Picture
      {...{ host, scene, pointed, beside }}
      id="stage"
      label="Picture of the tree."
      className={scene.sweep ? 'is-swept' : ''}
      selected={marks.selected}
      overlap={opened ? undefined : overlap?.box}
      zoom={zoom}
    >
      <AllRows scene={scene} marks={opened ? { ...marks, selected: null } : marks} />
      <DamageSigns damaged={damaged} unit={rows.unit} />
      <KeyAxisView {...scene} noTicks={isUnread(page.view) ? UNREAD : 'no tables yet'} />
      {lines && opened && <lines.OpenedView opened={opened} marks={inside} />}
      {lines && <lines.Drawn scene={scene} />}
    </Picture>
  );
}

function Aside({ rows, children }: { rows: Rows; children: ReactNode }) {
  const { unit, wal, manifest } = rows;
  const { y, h } = manifest ?? wal;
  return (
    <div className="stage-aside" style={{ fontSize: unit, top: y + h }}>
      {children}
    </div>
  );
}

function AllRows({ scene, marks }: { scene: Scene; marks: Marks }) {
  const { rows } = scene;
  return (
    <>
      <MemoryRow memory={scene.memory} rows={rows} marks={marks} />
      {rows.wal.h > 0 && !rows.opened && <TransactionRow scene={scene.transactions} rows={rows} />}
      <ManifestRow scene={scene.manifest} rows={rows} marks={marks} />
      {scene.levels.map((row) => (
        <LevelRowView key={row.id} row={row} marks={marks} />
      ))}
    </>
  );
}

function useScene(
  props: Props,
  { width, height }: Size,
  scale: KeyScale,
  pageScale: number,
): Scene {
  const { page, recent, contents, lookup = null, merge = null, inside = null, lanes } = props;
  const { view, writing } = page;
  return useMemo(
    () =>
      stageScene(view, writing, width, height, {
        ...{ scale, pageScale, recent, contents, lookup, merge, inside, lanes },
      }),
    [
      view,
      writing,
      width,
      height,
      scale,
      pageScale,
      recent,
      contents,
      lookup,
      merge,
      inside,
      lanes,
    ],
  );
}

interface Hovered extends Pointed {
  followed: Followed | null;
}

/** The highlighted objects: selected, pointed at, new, searched by a lookup, damaged, overlapped by the selection. */
function useMarks(page: Props['page'], scene: Scene, damages: DamageWords, pointed: Hovered) {
  const { hovered, focused, followed, setHovered } = pointed;
  const { view, fresh } = page;
  const selected = objectOf(page.selection);
  const active = hovered ?? focused;
  const overlap = useMemo(
    () => overlapOf(view, scene, active ?? selected),
    [view, scene, active, selected],
  );
  const { words: asked, passed } = scene.plumb ?? NOT_ASKED;
  const damaged = useMemo(() => damageMarks(view, scene, damages), [view, scene, damages]);
  const { unit } = scene.rows;
  const marks: Marks = useMemo(
    () => ({
      unit,
      selected,
      active,
      focused,
      fresh,
      overlapped: overlap?.ids ?? NOTHING,
      asked,
      passed,
      followed,
      damaged: new Map(damaged.map(({ id, text }) => [id, text])),
      onHover: setHovered,
    }),
    [unit, selected, active, focused, fresh, overlap, asked, passed, followed, damaged, setHovered],
  );
  return { marks, overlap, damaged };
}
