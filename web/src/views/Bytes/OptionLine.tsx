import { type ComponentProps, type HTMLAttributes, useId, useState } from 'react';
import { classes } from '../../model/words';
import { optionKeys } from '../shared/optionKeys';

interface Props<Item> extends ComponentProps<'div'> {
  items: readonly Item[];
  /** Place of the selected one; -1: there is none. */
  selected: number;
  keyOf(item: Item): string | number;
  /** What is seen and heard of one. */
  attributesOf(item: Item): HTMLAttributes<HTMLElement>;
  onItem(item: Item): void;
  /** Called with the one under the pointer or the keyboard. */
  onHover?(item: Item | null): void;
}

/** Scrolls no more than is needed. */
export const NEAREST = { block: 'nearest', inline: 'nearest' } as const;

/** Options side by side: one tab stop, arrow keys walk, Enter selects. */
export function OptionLine<Item>(props: Props<Item>) {
  const { items, selected, keyOf, attributesOf, onItem, onHover, children, ...line } = props;
  const base = useId();
  const [focused, setFocused] = useState<string | number | null>(null);
  const at = focused === null ? selected : items.findIndex((item) => keyOf(item) === focused);
  const focus = (index: number) => {
    const item = items[index] ?? null;
    setFocused(item && keyOf(item));
    return item;
  };
  const onChoose = (index: number) => {
    const item = focus(index);
    if (item) onItem(item);
  };
  return (
    <div
      role="listbox"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-activedescendant={items[at] ? `${base}-${at}` : undefined}
      onKeyDown={(event) => {
        const onMove = (to: number) => {
          const item = focus(to);
          onHover?.(item);
          event.currentTarget.children[to]?.scrollIntoView?.(NEAREST);
        };
        optionKeys(event, { at, count: items.length, onMove, onChoose });
      }}
      onFocus={() => focus(Math.max(at, 0))}
      onBlur={() => setFocused(null)}
      onPointerLeave={() => onHover?.(null)}
      {...line}
    >
      {items.map((item, index) => {
        const { className, ...attributes } = attributesOf(item);
        return (
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names this as its active descendant
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
          <div
            key={keyOf(item)}
            id={`${base}-${index}`}
            role="option"
            aria-selected={index === selected}
            className={classes(className, keyOf(item) === focused && 'focused')}
            onClick={() => onChoose(index)}
            onPointerEnter={() => onHover?.(item)}
            {...attributes}
          />
        );
      })}
      {children}
    </div>
  );
}
