import type { Inline } from '../../model/engine.generated';
import { wordClass } from '../../model/selection';
import { useSelection } from '../shared/contexts';

/** Prose of a lesson, with its marks; links lead to objects of the picture, or out of the page. */
export function Words({ prose }: { prose: readonly Inline[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a paragraph never change places
  return prose.map((inline, index) => <Piece key={index} inline={inline} />);
}

interface EachProps {
  all: readonly (readonly Inline[])[];
  as: 'p' | 'li';
}

/** Pieces of prose one after the other, as paragraphs or items of a list. */
export function Each({ all, as: Part }: EachProps) {
  return all.map((prose, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a lesson never change places
    <Part key={index}>
      <Words prose={prose} />
    </Part>
  ));
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
