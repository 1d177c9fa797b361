import { nameText, nameTitle } from '../../lens/names';

/** A name of a file, a folder or an archive, isolated so that it can disguise neither itself nor its neighbours. */
export function Name({ of }: { of: string }) {
  return (
    <bdi className="lens-name" title={nameTitle(of)}>
      {nameText(of)}
    </bdi>
  );
}
