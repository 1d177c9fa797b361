import { useState } from 'react';
import { count } from '../../model/words';
import { Action } from './buttons';

/** Lines of a long list shown at first: a page with tens of thousands of lines is slow. */
const FIRST = 200;

/** The first lines of a long list, and a button for more. */
interface FirstOf<Line> {
  readonly lines: readonly Line[];
  readonly all: number;
  onMore(): void;
}

export function useFirst<Line>(all: readonly Line[]): FirstOf<Line> {
  const [shown, setShown] = useState(FIRST);
  return {
    lines: all.length > shown ? all.slice(0, shown) : all,
    all: all.length,
    onMore: () => setShown(shown + 4 * FIRST),
  };
}

interface Props {
  first: FirstOf<unknown>;
  /** The word for several lines. */
  nouns: string;
}

/** Shows more of a long list; nothing when all of it is there. */
export function MoreLines({ first: { lines, all, onMore }, nouns }: Props) {
  if (lines.length === all) return null;
  return (
    <p>
      <Action onClick={onMore}>More {nouns}</Action>{' '}
      <span className="dim">
        {count(lines.length)} of {count(all)}
      </span>
    </p>
  );
}
