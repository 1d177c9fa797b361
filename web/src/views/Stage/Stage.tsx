import './Stage.css';

import {
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { DamageWords } from '../../model/damage';
import type { RecentWrites } from '../../model/engine.generated';
import type { Followed } from '../../model/followed';
import type { Way } from '../../model/page';
import { objectOf } from '../../model/selection';
import type { Page } from '../../model/shown';
import { useSelection } from '../shared/contexts';
import { showsFocus } from '../shared/pointed';
import { type Size, useSize } from '../shared/useSize';
import { Patterns, Water } from './Ground';
import { KeyAxisView } from './KeyAxisView';
import { KeyScaleButton } from './KeyScaleButton';
import { useKeyScale } from './keyScale';
import { LevelRowView } from './LevelRows';
import { ManifestRow } from './ManifestRow';
import { domId, type Marks } from './Marked';
import { MemoryRow } from './MemoryRow';
import type { KeyScale } from './scene/axis';
import type { Contents } from './scene/contents';
import { type DamageMark, damageMarks } from './scene/damage';
import { moveFocus } from './scene/focus';
import type { Box, Rows } from './scene/geometry';
import { overlapOf, type Scene, type SceneInput, stageScene } from './scene/stage';
import { TransactionRow } from './TransactionRow';
import { useMotion } from './useMotion';

interface Props {
  page: Pick<Page, 'view' | 'writing' | 'selection' | 'fresh'>;
  /** Its damaged objects. */
  damages: DamageWords;
  /** The newest entries of its memtables, as far as they are known. */
  recent?: readonly RecentWrites[];
  /** The entries of its tables, as far as they are known. */
  contents?: Contents;
  /** The followed key, whose versions are marked. */
  followed?: Followed | null;
  /** The lookup and the merge on show, and the components that draw them. */
  lookup?: SceneInput['lookup'];
  merge?: SceneInput['merge'];
  lines?: LinesOfStage;
  /** Buttons in the gutter below the word for the log: they cover nothing there. */
  aside?: ReactNode;
  /** The direction of the motion; `null`: objects do not move. */
  moves?: Way | null;
  /** Narrower stages scroll sideways [px]. */
  widthMin?: number;
}

/** Draws a lookup and a merge; a picture without them does not load it. */
interface LinesOfStage {
  Drawn: ComponentType<{ scene: Scene }>;
  /** In place of a result that is hidden. */
  Question: ComponentType<{ scene: Scene }>;
}

const NOTHING: ReadonlySet<string> = new Set();
const NOT_ASKED = { words: new Map<string, string>(), passed: NOTHING };
/** The least width of the page's stage [px]. */
const WIDTH_MIN = 600;
const FIRST_SIZE = { width: 1000, height: 480 };
const SIZE_MIN = { width: 50, height: 50 };

/** The picture of the whole tree: one tab stop, walked through with the arrow keys. */
export function Stage(props: Props) {
  const { page, damages, followed = null, widthMin = WIDTH_MIN, moves = 'forward', lines } = props;
  const host = useRef<HTMLDivElement>(null);
  const size = useRoom(host, widthMin);
  const [hovered, setHovered] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const scale = useKeyScale();
  const scene = useScene(props, size, scale);
  useMotion(host, scene, moves);
  const selected = objectOf(page.selection);
  const pointed = { hovered, focused, followed, setHovered };
  const { marks, overlap, damaged } = useMarks(page, scene, damages, pointed);
  const onKeyDown = useStageKeys(scene, selected, [focused, setFocused]);

  return (
    <div className="stage-room" ref={host}>
      <div
        className="stage"
        id="stage"
        role="listbox"
        tabIndex={0}
        aria-label="Picture of the tree. Arrow keys move, Enter selects, Escape clears."
        aria-activedescendant={hasItem(scene, focused) ? domId(focused) : undefined}
        onKeyDown={onKeyDown}
        onBlur={({ relatedTarget }) => {
          // A closed menu returns the focus to its object.
          if (!relatedTarget?.closest('[role="menu"]')) setFocused(null);
        }}
      >
        <svg
          width={scene.width}
          height={scene.height}
          role="presentation"
          className={scene.sweep ? 'is-swept' : undefined}
          style={{ fontSize: scene.rows.unit }}
        >
          <Patterns rows={scene.rows} />
          <Water scene={scene} />
          {overlap?.box && <OverlapBox box={overlap.box} />}
          <AllRows scene={scene} marks={marks} />
          {damaged.map((mark) => (
            <Damaged key={mark.id} mark={mark} unit={scene.rows.unit} />
          ))}
          <KeyAxisView scene={scene} />
          {lines && <lines.Drawn scene={scene} />}
        </svg>
      </div>
      {props.aside && <Aside rows={scene.rows}>{props.aside}</Aside>}
      {lines && <lines.Question scene={scene} />}
      {scene.ticks.length > 0 && <KeyScaleButton scale={scale} rows={scene.rows} />}
    </div>
  );
}

/** The keys of the picture: arrows move the focus, Enter selects, Escape clears. */
function useStageKeys(
  scene: Scene,
  selected: string | null,
  [focused, setFocused]: [string | null, (id: string | null) => void],
) {
  const { select } = useSelection();
  return (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') {
      // With nothing to clear, it is the page's.
      if (focused === null && selected === null) return;
      setFocused(null);
      select(null);
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (focused) select(focused);
    } else {
      const moves = focused !== null || showsFocus(event.currentTarget);
      const next = moves ? moveFocus(scene, focused ?? selected, event.key) : null;
      if (next === null) return;
      setFocused(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };
}

/** The size of the picture in its host. */
function useRoom(host: RefObject<HTMLElement | null>, widthMin: number): Size {
  const { width, height } = useSize(host, FIRST_SIZE, SIZE_MIN);
  return useMemo(() => ({ width: Math.max(width, widthMin), height }), [width, height, widthMin]);
}

function Aside({ rows, children }: { rows: Rows; children: ReactNode }) {
  const { unit, wal } = rows;
  const top = wal.y + wal.h;
  return (
    <div className="stage-aside" style={{ fontSize: unit, top }}>
      {children}
    </div>
  );
}

function AllRows({ scene, marks }: { scene: Scene; marks: Marks }) {
  const { rows } = scene;
  return (
    <>
      <MemoryRow memory={scene.memory} rows={rows} marks={marks} />
      <TransactionRow scene={scene.transactions} rows={rows} />
      <ManifestRow scene={scene.manifest} rows={rows} marks={marks} />
      {scene.levels.map((row) => (
        <LevelRowView key={row.id} row={row} marks={marks} />
      ))}
    </>
  );
}

function useScene(props: Props, { width, height }: Size, scale: KeyScale): Scene {
  const { page, recent, contents, lookup = null, merge = null } = props;
  const { view, writing } = page;
  return useMemo(
    () => stageScene(view, writing, width, height, { scale, recent, contents, lookup, merge }),
    [view, writing, width, height, scale, recent, contents, lookup, merge],
  );
}

interface Pointed {
  hovered: string | null;
  focused: string | null;
  followed: Followed | null;
  setHovered(id: string | null): void;
}

/** The highlighted objects: selected, pointed at, new, searched by a lookup, damaged, overlapped by the selection. */
function useMarks(page: Props['page'], scene: Scene, damages: DamageWords, pointed: Pointed) {
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

/** Where a table reaches in the next level. */
function OverlapBox({ box: { x, y, w, h } }: { box: Box }) {
  return <rect className="overlap" x={x} y={y} width={w} height={h} rx={4} />;
}

function hasItem(scene: Scene, id: string | null): id is string {
  return scene.items.some((row) => row.some((item) => item.id === id));
}

/** Drawn above all objects: neighbours must not cover the word. */
function Damaged({ mark: { box, sign }, unit }: { mark: DamageMark; unit: number }) {
  const { x, y, w, h } = sign.box;
  return (
    <g className="damage">
      <rect className="damage-edge" x={box.x} y={box.y} width={box.w} height={box.h} rx={6} />
      <rect className="damage-sign" x={x} y={y} width={w} height={h} rx={4} />
      <text x={x + w / 2} y={y + h / 2 + unit * 0.36} textAnchor="middle">
        {sign.text}
      </text>
    </g>
  );
}
