import './ObjectMenu.css';

import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import type { ObjectMenu as Entries, MenuEntry } from '../../model/objectMenu';
import { useCommands, useViews } from '../shared/contexts';
import { float } from '../shared/placeIn';
import { useOutside } from '../shared/useOutside';

interface Props {
  menu: Entries;
  /** The place of the click or key press [px of the window]. */
  x: number;
  y: number;
  onClose(): void;
}

/** Outside of it, they end it. */
const ENDS = ['pointerdown', 'resize', 'blur'];

/** The menu of one object: each line types its command. */
export function ObjectMenu({ menu, x, y, onClose }: Props) {
  const { type } = useCommands();
  const { lookInside } = useViews();
  const element = useRef<HTMLDivElement>(null);
  const back = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const host = element.current;
    if (!host) return;
    back.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    float(host, { left: x, top: y, bottom: y });
    itemsOf(host)[0]?.focus();
    return () => back.current?.focus();
  }, [x, y]);
  useOutside(element, ENDS, ({ type }) => {
    // The focus follows the pointer.
    if (type === 'pointerdown') back.current = null;
    onClose();
  });
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const items = itemsOf(event.currentTarget);
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next = nextItem(event.key, at, items);
    if (next !== null) items[next]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else if (event.key === 'Enter' || event.key === ' ') return event.stopPropagation();
    event.preventDefault();
    event.stopPropagation();
  };
  const choose = ({ command, opened }: MenuEntry) => {
    onClose();
    if (opened === undefined) type(command);
    else lookInside(opened);
  };
  return (
    <section aria-label={`What can be done with ${menu.title}`}>
      <div
        className="object-menu scrolls"
        ref={element}
        role="menu"
        tabIndex={-1}
        aria-label={menu.title}
        onKeyDown={onKeyDown}
        onContextMenu={(event) => event.preventDefault()}
      >
        <p className="menu-title dim fine" aria-hidden="true">
          {menu.title}
        </p>
        {menu.groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: lines of a menu are no form
          <div role="group" key={group[0]?.command}>
            {group.map((entry) => (
              <button
                type="button"
                role="menuitem"
                tabIndex={-1}
                key={entry.command}
                onClick={() => choose(entry)}
              >
                <span>{entry.label}</span> <code className="clipped dim">{entry.command}</code>
              </button>
            ))}
          </div>
        ))}
      </div>
    </section>
  );
}

function itemsOf(host: HTMLElement): HTMLElement[] {
  return [...host.querySelectorAll<HTMLElement>('[role="menuitem"]')];
}

/** The line that a key leads to: a neighbour, an end, or the next one that begins with the letter. */
function nextItem(key: string, at: number, items: readonly HTMLElement[]): number | null {
  const { length } = items;
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % length;
    case 'ArrowUp':
      return (Math.max(at, 0) + length - 1) % length;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default: {
      if (key.length !== 1 || key === ' ') return null;
      const letter = key.toLowerCase();
      const order = items.map((_, index) => (at + 1 + index) % length);
      const found = order.find((index) =>
        items[index]?.textContent?.toLowerCase().startsWith(letter),
      );
      return found ?? null;
    }
  }
}
