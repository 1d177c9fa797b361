import { flippedBits } from '../../model/damage';
import type { Damage } from '../../model/engine.generated';
import { count } from '../../model/words';
import { TextLink } from './buttons';
import { useSelection, useViews } from './contexts';

interface Props {
  /** The selection of the file. */
  file: string;
  damages: readonly Damage[];
}

const SHOWN_MAX = 8;

/** The flipped bytes of a file, with links to them; nothing for a sound file. */
export function DamageNote({ file, damages }: Props) {
  const { select } = useSelection();
  const { inspect } = useViews();
  if (damages.length === 0) return null;
  const hidden = damages.length - SHOWN_MAX;
  return (
    <p className="note-box is-bad damage-note">
      <strong className="bad">▲ Damaged.</strong>{' '}
      {damages.slice(0, SHOWN_MAX).map((damage) => (
        <span key={damage.offset}>
          The byte at{' '}
          <TextLink
            onClick={() => {
              select(`${file}/bytes:${damage.offset}-${damage.offset}`);
              inspect(true);
            }}
          >
            offset {count(damage.offset)}
          </TextLink>{' '}
          was changed: bits <code>{flippedBits(damage)}</code> are flipped.{' '}
        </span>
      ))}
      {hidden > 0 && `${count(hidden)} more.`}
    </p>
  );
}
