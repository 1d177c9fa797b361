import './Phone.css';

import { type PointerEvent, type ReactNode, useRef } from 'react';
import { titleOf } from '../model/objectMenu';
import { parseSelection } from '../model/selection';
import { Quiet } from '../views/shared/buttons';
import { Icon } from '../views/shared/Icon';
import { Tabs } from '../views/shared/Tabs';
import type { LayoutParts } from './Layout';
import { type Sheet, type SheetTab, sizeAfter } from './useSheet';

interface Props extends LayoutParts {
  sheet: Sheet;
  /** The selected object; `null`: none is. */
  selection: string | null;
  /** One step of time, forward or back, by a swipe over the sentence. */
  onSwipe(direction: 'forward' | 'back'): void;
}

const NAMES: Readonly<Record<SheetTab, string>> = {
  lesson: 'Lesson',
  look: 'Look',
  terminal: 'Terminal',
};

/** The layout of a phone: picture, sentence, controls of time, and a sheet with lesson, inspector or terminal. */
export function Phone(props: Props) {
  const { stage, isPast, full, narration, timeline, sheet, onSwipe } = props;
  const swipe = useSwipe(onSwipe);
  return (
    <main className="phone-work in-column grows" data-sheet={sheet.size}>
      <div className={isPast ? 'phone-picture grows frame past' : 'phone-picture grows frame'}>
        {full ?? stage}
      </div>
      <div className="phone-story rigid" {...swipe}>
        {narration}
      </div>
      {timeline}
      <SheetView {...props} />
    </main>
  );
}

function SheetView({ sheet, selection, column, inspector, terminal }: Props) {
  const { tab, size } = sheet;
  const tabs = TABS.filter((name) => name !== 'lesson' || column !== null);
  const shown: Readonly<Record<SheetTab, ReactNode>> = {
    lesson: column,
    // It queries the engine only while it is visible.
    look: tab === 'look' && size !== 'closed' ? inspector : null,
    terminal,
  };
  return (
    <section className="sheet in-column rigid on-panel" aria-label="Lesson, inspector, terminal">
      <SheetHead {...{ sheet, selection, tabs }} />
      {tabs.map((name) => (
        <div
          key={name}
          className="sheet-body grows"
          role="tabpanel"
          id={`sheet-${name}`}
          aria-labelledby={`sheet-tab-${name}`}
          hidden={name !== tab || size === 'closed'}
        >
          {shown[name]}
        </div>
      ))}
    </section>
  );
}

const TABS: readonly SheetTab[] = ['lesson', 'look', 'terminal'];
/** Least drag that changes the size [px]. */
const DRAG_MIN = 40;
/** Least drag that changes it by more than one size [px]. */
const DRAG_FAR = 320;

interface HeadProps extends Pick<Props, 'sheet' | 'selection'> {
  tabs: readonly SheetTab[];
}

/** The tabs, and the size: by buttons, by dragging, by arrow keys. */
function SheetHead({ sheet, selection, tabs }: HeadProps) {
  const { tab, size, choose, resize } = sheet;
  // Open, the sheet has the name as its heading.
  const chosen = selection === null || size !== 'closed' ? null : parseSelection(selection);
  const from = useRef<number | null>(null);
  const onPointerUp = ({ clientY }: PointerEvent) => {
    const way = from.current === null ? 0 : from.current - clientY;
    from.current = null;
    if (Math.abs(way) >= DRAG_MIN) resize(Math.sign(way) * (Math.abs(way) >= DRAG_FAR ? 2 : 1));
  };
  return (
    <div
      className="sheet-head rigid line-below"
      onPointerDown={({ clientY }) => {
        from.current = clientY;
      }}
      onPointerUp={onPointerUp}
      onPointerCancel={() => {
        from.current = null;
      }}
    >
      <Tabs
        label="Sheet"
        {...{ tabs, tab }}
        idOf={(name) => `sheet-tab-${name}`}
        panelOf={(name) => `sheet-${name}`}
        onTab={choose}
        onMove={sheet.show}
      >
        {(name) =>
          name === 'look' && chosen ? <strong>Look at {titleOf(chosen, null)}</strong> : NAMES[name]
        }
      </Tabs>
      {SIZES.map(([name, icon, steps]) => (
        <Quiet
          key={name}
          aria-disabled={sizeAfter(size, steps) === size}
          onClick={() => resize(steps)}
        >
          <Icon name={icon} />
          <span className="visually-hidden">{name}</span>
        </Quiet>
      ))}
    </div>
  );
}

/** The buttons for the size. */
const SIZES = [
  ['Lower', 'down', -1],
  ['Higher', 'up', 1],
] as const;

/** Least length of a swipe [px]. */
const SWIPE_MIN = 50;

/** A swipe to the left steps forward, like turning a page. */
function useSwipe(onSwipe: Props['onSwipe']) {
  const from = useRef<{ x: number; y: number } | null>(null);
  return {
    onPointerDown: ({ clientX, clientY, pointerType }: PointerEvent) => {
      from.current = pointerType === 'touch' ? { x: clientX, y: clientY } : null;
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent) => {
      const start = from.current;
      from.current = null;
      if (!start) return;
      const [across, down] = [clientX - start.x, clientY - start.y];
      if (Math.abs(across) < SWIPE_MIN || Math.abs(across) < 2 * Math.abs(down)) return;
      onSwipe(across < 0 ? 'forward' : 'back');
    },
    onPointerCancel: () => {
      from.current = null;
    },
  };
}
