import type { ShownKey } from '../../model/engine.generated';
import { keyText } from '../../model/keys';

/** A key in at most `limit` letters, on one line: a line that ends at the sign of the cut would read as two keys. */
export function KeyText({ of, limit }: { of: ShownKey; limit: number }) {
  return <span className="key-text">{keyText(of, limit)}</span>;
}

/** The keys of a file, from the smallest to the largest. */
export function KeyRange({ from, to, limit }: { from: ShownKey; to: ShownKey; limit: number }) {
  return (
    <>
      <KeyText of={from} limit={limit} /> … <KeyText of={to} limit={limit} />
    </>
  );
}
