import { nameText, nameTitle } from '../../lens/names';

/** A name of a file, a folder or an archive, which can neither disguise itself nor what stands beside it. */
export function Name({ of }: { of: string }) {
  return (
    <bdi className="lens-name" title={nameTitle(of)}>
      {nameText(of)}
    </bdi>
  );
}
