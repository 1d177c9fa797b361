import { setKeyScale } from './keyScale';
import type { KeyScale } from './scene/axis';
import type { Rows } from './scene/geometry';

interface Props {
  scale: KeyScale;
  rows: Rows;
}

/** Shows what places and widths on the key axis mean, and changes it. */
export function KeyScaleButton({ scale, rows: { axisY, unit, left } }: Props) {
  const byRank = scale === 'rank';
  const meaning = byRank
    ? 'The first and last keys of all tables stand evenly apart.'
    : 'Keys stand as far apart as their bytes are.';
  return (
    <button
      type="button"
      className="key-scale"
      style={{ top: axisY, width: left - unit * 0.5, fontSize: unit }}
      title={`${meaning} Click for keys by ${byRank ? 'position' : 'rank'}.`}
      onClick={() => setKeyScale(byRank ? 'position' : 'rank')}
    >
      keys by {scale}
    </button>
  );
}
