import '../Stage/Stage.css';
import './LevelsPicture.css';

import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { showsFocus } from '../shared/pointed';
import { useSize } from '../shared/useSize';
import { BlobRow, LogRow } from './FileRows';
import { useFamilies } from './families';
import { LevelView, Tables } from './LevelView';
import { type LensMarks, lensId } from './marks';
import { moveFocus, orderOf } from './scene/focus';
import { type Places, placesOf } from './scene/geometry';
import type { Extent } from './scene/history';
import {
  type LevelsInput,
  type LevelsScene,
  levelsScene,
  overlapped,
  type TableShape,
} from './scene/levels';

interface Props extends LevelsInput {
  extent: Extent;
  selected: string | null;
  /** The directory has more than this step: its logs are of the last one. */
  isPast: boolean;
  /** Whether the step was reached by one step forward: moved tables may glide. */
  glides: boolean;
  onSelect(id: string | null): void;
}

const FIRST_SIZE = { width: 960, height: 480 };
const SIZE_MIN = { width: 50, height: 50 };
const WIDTH_MIN = 560;

/** The levels of a family on one key axis: one tab stop, walked through with the arrow keys. */
export function LevelsPicture(props: Props) {
  const { answer, before, step, extent, shade, selected, isPast, glides, onSelect } = props;
  const host = useRef<HTMLDivElement>(null);
  const hasFamilies = useFamilies();
  const { width, height } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const [hovered, setHovered] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const hasBlobs = answer.blobFiles.length > 0;
  const places = useMemo(
    () => placesOf(Math.max(width, WIDTH_MIN), height, { extent, hasBlobs }),
    [width, height, extent, hasBlobs],
  );
  const scene = useMemo(
    () => levelsScene({ answer, before, step, shade }, places),
    [answer, before, step, shade, places],
  );
  const active = hovered ?? focused;
  const reach = useMemo(() => reachOf(scene, active ?? selected), [scene, active, selected]);
  const marks: LensMarks = {
    unit: places.unit,
    selected,
    active,
    overlapped: reach.ids,
    isPast,
    onHover: setHovered,
    onSelect,
  };
  const onKeyDown = usePictureKeys({ scene, answer, selected, focused, setFocused, onSelect });
  return (
    <div className="stage-room" ref={host}>
      <div
        className={`stage lens-stage${glides ? ' glides' : ''}${shade.of === 'level' ? '' : ' is-shaded'}`}
        id="lens-stage"
        role="listbox"
        tabIndex={0}
        aria-label={`Levels of the ${hasFamilies ? 'family' : 'database'}. Arrow keys move, Enter selects, Escape clears.`}
        aria-activedescendant={focused === null ? undefined : lensId(focused)}
        onKeyDown={onKeyDown}
        onBlur={() => setFocused(null)}
      >
        <svg
          width={places.width}
          height={places.height}
          role="presentation"
          style={{ fontSize: places.unit }}
        >
          <Hatch />
          {reach.from && <Reach shape={reach.from} places={places} />}
          <LogRow logs={answer.logs} places={places} marks={marks} />
          {scene.levels.map((level) => (
            <LevelView key={level.id} level={level} places={places} marks={marks} />
          ))}
          <Tables levels={scene.levels} marks={marks} />
          <AxisView scene={scene} places={places} byRank={answer.byRank} />
          {places.blobs && (
            <BlobRow blobs={answer.blobFiles} span={places.blobs} places={places} marks={marks} />
          )}
        </svg>
      </div>
    </div>
  );
}

interface Keys extends Pick<Props, 'answer' | 'selected' | 'onSelect'> {
  scene: LevelsScene;
  focused: string | null;
  setFocused(id: string | null): void;
}

/** The keys of the picture while its focus is visible: after a click arrows move through time. */
function usePictureKeys({ scene, answer, selected, focused, setFocused, onSelect }: Keys) {
  return (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') {
      if (focused === null && selected === null) return;
      setFocused(null);
      onSelect(null);
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (focused === null) return;
      onSelect(focused);
    } else {
      const moves = focused !== null || showsFocus(event.currentTarget);
      const next = moves ? moveFocus(orderOf(scene, answer), focused ?? selected, event.key) : null;
      if (next === null) return;
      setFocused(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };
}

const NOTHING: ReadonlySet<string> = new Set();

/** The tables below the keys of a table. */
function reachOf(scene: LevelsScene, id: string | null) {
  const from = scene.levels.flatMap(({ tables }) => tables).find((shape) => shape.id === id);
  if (!from) return { from: null, ids: NOTHING };
  return { from, ids: new Set(overlapped(scene, from).map((shape) => shape.id)) };
}

/** The keys of a table, through all levels below it. */
function Reach({ shape, places }: { shape: TableShape; places: Places }) {
  const { x, y, w, h } = shape.box;
  const bottom = places.axisY;
  return (
    <rect className="overlap" x={x} y={y + h} width={w} height={Math.max(bottom - y - h, 0)} />
  );
}

function AxisView(props: { scene: LevelsScene; places: Places; byRank: boolean }) {
  const { scene, places, byRank } = props;
  const { unit, left, right, axisY: y } = places;
  const baseline = y + unit * 1.15;
  const shared = scene.shared === '' ? 'keys' : `${scene.shared}…`;
  return (
    <g className="axis">
      <text className="dim mono" x={unit} y={baseline}>
        {byRank ? 'order of files' : shared.length > 17 ? `…${shared.slice(-16)}` : shared}
      </text>
      <line className="axis-line" x1={left} x2={right} y1={y} y2={y} />
      {scene.ticks.map((tick) => (
        <g key={tick.label}>
          <line className="axis-tick" x1={tick.x} x2={tick.x} y1={y - 4} y2={y + 4} />
          <text className="mono dim" x={tick.x} y={baseline} textAnchor={tick.anchor}>
            {tick.label}
          </text>
        </g>
      ))}
    </g>
  );
}

/** The pattern of garbage, and of tables that are gone. */
function Hatch() {
  return (
    <defs>
      <pattern
        id="lens-hatch"
        width={7}
        height={7}
        patternTransform="rotate(45)"
        patternUnits="userSpaceOnUse"
      >
        <rect className="lens-hatch-line" width={2.5} height={7} />
      </pattern>
    </defs>
  );
}
