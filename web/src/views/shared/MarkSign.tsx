import { SIGNS, type SignKind } from '../Timeline/scene/signs';

interface Props {
  kind: SignKind;
  /** Where the signs of this kind stand: all of them are one outline. */
  xs: readonly number[];
  y: number;
}

/** The sign of a kind of steps, once or at many places. */
export function MarkSign({ kind, xs, y }: Props) {
  const d = xs.map((x) => `M${x.toFixed(1)} ${y}${SIGNS[kind].shape}`).join('');
  return <path className={`mark mark-${kind}`} d={d} fillRule="evenodd" />;
}
