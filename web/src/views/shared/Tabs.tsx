import type { KeyboardEvent, ReactNode } from 'react';

interface Props<Tab extends string> {
  label: string;
  tabs: readonly Tab[];
  tab: Tab;
  /** The id of a tab, and of its panel. */
  idOf(tab: Tab): string;
  panelOf(tab: Tab): string;
  /** Called by a press; `onMove`: by the arrow keys. */
  onTab(tab: Tab): void;
  onMove?(tab: Tab): void;
  /** The content of a tab; its name if nothing is given. */
  children?(tab: Tab): ReactNode;
}

/** A row of tabs: one tab stop, walked through with the arrow keys. */
export function Tabs<Tab extends string>(props: Props<Tab>) {
  const { label, tabs, tab, idOf, panelOf, onTab, onMove = onTab, children } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    onMove(next);
    document.getElementById(idOf(next))?.focus();
  };
  return (
    <div className="tabs wraps rigid" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((name) => (
        <button
          type="button"
          role="tab"
          key={name}
          id={idOf(name)}
          aria-selected={tab === name}
          aria-controls={panelOf(name)}
          tabIndex={tab === name ? 0 : -1}
          onClick={() => onTab(name)}
        >
          {children ? children(name) : name}
        </button>
      ))}
    </div>
  );
}
