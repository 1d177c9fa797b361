import type { ReactNode } from 'react';
import type { Box } from '../scene/geometry';

/** Which objects stand out, and why. */
export interface Marks {
  selected: string | null;
  /** Under the pointer or the keyboard. */
  active: string | null;
  fresh: ReadonlySet<string>;
  /** In the next level, under the active table. */
  overlapped: ReadonlySet<string>;
  onHover(id: string | null): void;
  onSelect(id: string): void;
}

interface Props {
  id: string;
  box: Box;
  label: string;
  marks: Marks;
  className: string;
  children: ReactNode;
}

/** The DOM id of a stage object: what the stage names as its active descendant. */
export function domId(id: string): string {
  return `stage-${id.replace(/[^a-z0-9]/g, '-')}`;
}

/** An object of the stage: can be pointed at, selected, and is ringed when it is new. */
export function Marked({ id, box, label, marks, className, children }: Props) {
  const selected = marks.selected === id;
  const fresh = marks.fresh.has(id);
  const classes = [
    className,
    selected ? 'is-selected' : '',
    marks.active === id ? 'is-active' : '',
    marks.overlapped.has(id) ? 'is-overlapped' : '',
  ];
  return (
    <g
      id={domId(id)}
      role="option"
      aria-selected={selected}
      aria-label={fresh ? `${label}, new in this step` : label}
      className={classes.filter(Boolean).join(' ')}
      onPointerEnter={() => marks.onHover(id)}
      onPointerLeave={() => marks.onHover(null)}
      onClick={() => marks.onSelect(id)}
    >
      {fresh && <Frame box={box} grow={5} className="ring" />}
      {selected && (
        <>
          <Frame box={box} grow={4} className="pick-outer" />
          <Frame box={box} grow={2} className="pick-inner" />
        </>
      )}
      {children}
    </g>
  );
}

function Frame({ box, grow, className }: { box: Box; grow: number; className: string }) {
  return (
    <rect
      className={className}
      x={box.x - grow}
      y={box.y - grow}
      width={box.w + 2 * grow}
      height={box.h + 2 * grow}
      rx={6 + grow}
    />
  );
}
