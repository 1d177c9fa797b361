import type { PlaceOfDamage } from '../../model/engine.generated';
import { count } from '../../model/words';
import { TextLink } from '../shared/buttons';

interface Props {
  /** `Damaged` or `Not read`. */
  what: string;
  place: PlaceOfDamage;
  onOffset: (offset: number) => void;
}

/** Where an opened file is damaged or not read, with a link to the byte, and why. */
export function PlaceText({ what, place, onOffset }: Props) {
  const { offset, why } = place;
  return (
    <>
      {what}
      {offset !== null && (
        <>
          {' '}
          at <TextLink onClick={() => onOffset(offset)}>offset {count(offset)}</TextLink>
        </>
      )}
      : {why}
    </>
  );
}
