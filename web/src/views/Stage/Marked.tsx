import type { ReactNode } from 'react';
import { type Followed, heldText } from '../../model/followed';
import { classes, joined } from '../../model/words';
import { useSelection } from '../shared/contexts';
import { Rect } from './Rect';
import type { Bead } from './scene/beads';
import { type FollowWords, followWords } from './scene/followed';
import type { Box } from './scene/geometry';

/** Which objects stand out, and why. */
export interface Marks {
  /** Size of the text of the picture [px]. */
  unit: number;
  selected: string | null;
  /** Under the pointer or the keyboard. */
  active: string | null;
  /** Under the keyboard. */
  focused: string | null;
  fresh: ReadonlySet<string>;
  /** In the next level, under the active table. */
  overlapped: ReadonlySet<string>;
  /** The results of the lookup on show, in words. */
  asked: ReadonlyMap<string, string>;
  /** Objects that the lookup skipped. */
  passed: ReadonlySet<string>;
  /** The followed key, and the objects that hold a version of it. */
  followed: Followed | null;
  /** Where objects are damaged, in words. */
  damaged: ReadonlyMap<string, string>;
  onHover(id: string | null): void;
}

const NONE: ReadonlySet<string> = new Set();

/** Nothing stands out. */
export const NO_MARKS: Omit<Marks, 'unit'> = {
  ...{ selected: null, active: null, focused: null, followed: null },
  ...{ fresh: NONE, overlapped: NONE, passed: NONE, asked: new Map(), damaged: new Map() },
  onHover: () => {},
};

interface Props {
  id: string;
  box: Box;
  label: string;
  /** Of an entry: its key as a word of the command language. */
  word?: string | null;
  marks: Marks;
  className: string;
  /** The objects' entries, beside which a version of the followed key is named. */
  beads?: readonly Bead[];
  children: ReactNode;
}

/** Whether anything sets this object apart from its neighbours. */
export function isMarked(marks: Marks, id: string): boolean {
  return (
    marks.selected === id ||
    marks.active === id ||
    marks.focused === id ||
    marks.fresh.has(id) ||
    marks.overlapped.has(id) ||
    marks.asked.has(id) ||
    marks.followed?.objects.has(id) === true ||
    marks.damaged.has(id)
  );
}

/** The object's versions of the followed key, in words; `null` for none. */
export function followedText({ followed }: Marks, id: string): string | null {
  const held = followed?.objects.get(id);
  return followed && held ? heldText(followed.key, held) : null;
}

/** The DOM id of a stage object; the stage names it as its active descendant. */
export function domId(id: string): string {
  return `stage-${id.replace(/[^a-z0-9]/g, '-')}`;
}

/** An object of the stage: can be pointed at and selected. */
export function Marked({ id, box, label, word, marks, className, beads, children }: Props) {
  const { select } = useSelection();
  const held = marks.followed?.objects.get(id);
  const words =
    held && beads && marks.followed
      ? followWords({ beads, box }, marks.followed.sequences, held, marks.unit)
      : null;
  const selected = marks.selected === id;
  const fresh = marks.fresh.has(id);
  const damage = marks.damaged.get(id);
  const asked = marks.asked.get(id);
  return (
    <g
      id={domId(id)}
      data-object={id}
      data-key={word ?? undefined}
      role="option"
      aria-selected={selected}
      aria-label={joined([label, damage, fresh && 'just changed', asked, followedText(marks, id)])}
      className={classes(
        className,
        selected && 'is-selected',
        marks.active === id && 'is-active',
        marks.overlapped.has(id) && 'is-overlapped',
        marks.passed.has(id) && 'is-passed',
        damage !== undefined && 'is-damaged',
      )}
      onPointerEnter={() => marks.onHover(id)}
      onPointerLeave={() => marks.onHover(null)}
      onClick={() => select(id)}
    >
      {selected && (
        <>
          <Frame box={box} grow={4} className="pick-outer" />
          <Frame box={box} grow={2} className="pick-inner" />
        </>
      )}
      {children}
      {held && <FollowMark words={words} box={box} />}
    </g>
  );
}

/** A version of the followed key is in it; `words` name it, where no caption of the object does. */
function FollowMark({ words, box }: { words: FollowWords | null; box: Box }) {
  return (
    <>
      <Frame box={box} grow={3} className="follow-ring" />
      {words && (
        <text className="follow-sign mono" x={words.x} y={words.y}>
          {words.text}
        </text>
      )}
    </>
  );
}

function Frame({ box, grow, className }: { box: Box; grow: number; className: string }) {
  return <Rect {...{ box, grow, className }} r={6 + grow} />;
}
