import './Labs.css';

import type { ReactNode } from 'react';

interface Props {
  label: string;
  sheets: readonly { id: string; mark: ReactNode; words: ReactNode }[];
  /** The one on show. */
  shown: string | null;
  onShow(id: string): void;
  /** Above the list. */
  children?: ReactNode;
}

/** The experiments, or the questions, beside the one on show. */
export function SheetList({ label, sheets, shown, onShow, children }: Props) {
  return (
    <nav className="labs-list rigid" aria-label={label}>
      {children}
      <ol>
        {sheets.map(({ id, mark, words }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === shown ? 'page' : undefined}
              onClick={() => onShow(id)}
            >
              <b>{mark}</b> <span>{words}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
