import './Stage.css';

import { type KeyboardEvent, type ReactNode, type RefObject, useMemo, useState } from 'react';
import { useSelection } from '../shared/contexts';
import { showsFocus } from '../shared/pointed';
import { type Size, useSize } from '../shared/useSize';
import { Patterns, Water } from './Ground';
import { domId } from './Marked';
import { Rect } from './Rect';
import { moveFocus } from './scene/focus';
import type { Box, Rows } from './scene/geometry';
import type { StageItem } from './scene/levels';
import { NO_ZOOM, type Zoom } from './useZoom';

/** The objects under the pointer and under the keyboard. */
export type Pointed = ReturnType<typeof usePointed>;

export function usePointed() {
  const [hovered, setHovered] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  return { hovered, focused, setHovered, setFocused };
}

interface Props {
  host: RefObject<HTMLDivElement | null>;
  id: string;
  label: string;
  className?: string;
  scene: {
    width: number;
    height: number;
    /** It is drawn so much smaller; absent: 1. */
    shrink?: number;
    rows: Rows;
    items: readonly StageItem[][];
  };
  pointed: Pointed;
  selected: string | null;
  /** Where the keys of the active table are in the levels below it. */
  overlap: Box | undefined;
  zoom?: Zoom;
  /** Beside the drawing. */
  beside?: ReactNode;
  /** The drawing. */
  children: ReactNode;
}

const ENTER = [
  'Enter selects, Escape clears.',
  'Space selects, Enter opens, Escape closes and clears.',
];

/** A picture on one key axis: one tab stop, walked through with the arrow keys. */
export function Picture(props: Props) {
  const { host, id, label, className = '', scene, pointed, overlap, beside, children } = props;
  const { zoom = NO_ZOOM } = props;
  const { focused, setFocused } = pointed;
  const onKeyDown = usePictureKeys(scene, props.selected, pointed, zoom);
  const isThere = scene.items.some((row) => row.some((item) => item.id === focused));
  return (
    <div className="stage-room" ref={host}>
      <div style={{ zoom: scene.shrink }}>
        <div
          className={`stage ${className}`}
          id={id}
          role="listbox"
          tabIndex={0}
          aria-label={`${label} Arrow keys move, ${ENTER[Number(zoom !== NO_ZOOM)]}`}
          aria-activedescendant={focused !== null && isThere ? domId(focused) : undefined}
          onKeyDown={onKeyDown}
          // Keys go on from the object that was clicked.
          onClick={() => setFocused(null)}
          onDoubleClick={({ target }) => {
            // What is under the pointer may not be drawn yet when clicks come fast.
            const at = (target as Element).closest('[data-object]')?.getAttribute('data-object');
            if (at) zoom.into(at);
          }}
          onBlur={({ relatedTarget }) => {
            // A closed menu returns the focus to its object.
            if (!relatedTarget?.closest('[role="menu"]')) setFocused(null);
          }}
        >
          <svg
            width={scene.width}
            height={scene.height}
            role="presentation"
            style={{ fontSize: scene.rows.unit }}
          >
            <Patterns rows={scene.rows} />
            <Water scene={scene} />
            {overlap && <Rect className="overlap" box={overlap} r={4} />}
            {children}
          </svg>
        </div>
        {beside}
      </div>
    </div>
  );
}

/** The keys of the picture: arrows move the focus, Enter selects and opens, Escape closes and clears. */
function usePictureKeys(
  scene: Props['scene'],
  selected: string | null,
  { focused, setFocused }: Pointed,
  zoom: Zoom,
) {
  const { select } = useSelection();
  return (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') {
      const closed = zoom.out();
      // With nothing to close or clear, it is the page's.
      if (closed === null && focused === null && selected === null) return;
      setFocused(closed);
      if (closed === null) select(null);
    } else if (event.key === 'Enter') {
      const at = focused ?? selected;
      if (at === null) return;
      setFocused(at);
      if (!zoom.into(at)) select(at);
    } else if (event.key === ' ') {
      if (focused === null) return;
      select(focused);
    } else {
      // Arrows to both sides move through time until the keyboard is in the picture.
      const isUpright = event.key === 'ArrowUp' || event.key === 'ArrowDown';
      const moves = focused !== null || isUpright || showsFocus(event.currentTarget);
      const next = moves ? moveFocus(scene, focused ?? selected, event.key) : null;
      if (next === null) return;
      setFocused(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };
}

const FIRST_SIZE = { width: 1000, height: 480 };
const SIZE_MIN = { width: 50, height: 50 };

/** The size of a picture in its host; a narrower one scrolls sideways. */
export function useRoom(host: RefObject<HTMLElement | null>, widthMin: number): Size {
  const { width, height } = useSize(host, FIRST_SIZE, SIZE_MIN);
  return useMemo(() => ({ width: Math.max(width, widthMin), height }), [width, height, widthMin]);
}
