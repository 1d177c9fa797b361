import { Fragment } from 'react';

/** A long name that may break after its dots, so that its words stay whole. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=\.)/).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a name have no name but their place
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
