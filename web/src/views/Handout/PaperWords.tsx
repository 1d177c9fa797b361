import type { Inline } from '../../model/engine.generated';

/** Prose of a lesson on paper, where links lead nowhere: those out of the page tell their address. */
export function PaperWords({ prose }: { prose: readonly Inline[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a paragraph never change places
  return prose.map((inline, index) => <Piece key={index} inline={inline} />);
}

function Piece({ inline }: { inline: Inline }) {
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
      return inline.target.startsWith('https://')
        ? `${inline.text} (${inline.target})`
        : inline.text;
  }
}
