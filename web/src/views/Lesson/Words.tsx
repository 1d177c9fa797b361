import { Fragment } from 'react';
import type { Inline } from '../../model/engine.generated';
import { wordClass } from '../../model/selection';
import { useSelection } from '../shared/contexts';

interface Props {
  prose: readonly Inline[];
  /** The element that it fills; without one, it is a part of the text around it. */
  as?: 'p' | 'li' | 'h2' | 'span' | typeof Fragment;
}

/** Prose of a lesson, with its marks; links lead to objects of the picture, or out of the page. */
export function Words({ prose, as: Part = Fragment }: Props) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a paragraph never change places
  const pieces = prose.map((inline, index) => <Piece key={index} inline={inline} />);
  return <Part>{pieces}</Part>;
}

/** Pieces of prose one after the other, as paragraphs or items of a list. */
export function Each({ all, as }: { all: readonly Props['prose'][]; as: 'p' | 'li' }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a lesson never change places
  return all.map((prose, index) => <Words key={index} prose={prose} as={as} />);
}

function Piece({ inline }: { inline: Inline }) {
  const { select } = useSelection();
  switch (inline.is) {
    case 'text':
      return inline.text;
    case 'code':
      return <code>{inline.text}</code>;
    case 'strong':
      return <strong>{inline.text}</strong>;
    case 'emphasis':
      return <em>{inline.text}</em>;
    case 'link':
      return inline.target.startsWith('https://') ? (
        <a href={inline.target} target="_blank" rel="noreferrer">
          {inline.text}
        </a>
      ) : (
        <button
          type="button"
          className={`lesson-link ${wordClass(inline.target)}`}
          onClick={() => select(inline.target)}
        >
          {inline.text}
        </button>
      );
  }
}
