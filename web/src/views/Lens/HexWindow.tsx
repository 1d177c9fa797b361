import { memo, useState } from 'react';
import { decodeHex, hexByte, letter } from '../../model/bytes';
import { count, counted } from '../../model/words';
import { Action } from '../shared/buttons';
import { useTold } from './asking';
import type { BytePart, OpenedBytes } from './scene/answers';
import { lookOf, placeOf, ROW, WINDOW, windowAt } from './scene/bytes';

interface Props {
  file: string;
  path: readonly number[];
  opened: OpenedBytes;
  /** The opened part. */
  whole: BytePart;
  /** The place of the chosen part. */
  chosen: number | null;
  onChoose(place: number): void;
}

/** The bytes of the opened part, in the looks of its parts; a byte leads to its part. */
export function HexWindow({ file, path, opened, whole, chosen, onChoose }: Props) {
  const part = chosen === null ? null : (opened.parts[chosen - opened.from] ?? null);
  const isHere = part !== null && part.decoded === whole.decoded;
  const [paged, setPaged] = useState<{ for: number | null; start: number } | null>(null);
  // A part that is chosen is shown; pages are counted from there.
  const start =
    paged?.for === chosen && paged !== null
      ? paged.start
      : windowAt(isHere ? part.offset : whole.offset, whole);
  const { result, failure } = useTold({
    ask: 'raw',
    file,
    path: [...path],
    offset: start,
    limit: WINDOW,
  });
  if (failure !== null) return <p className="problem">{failure}</p>;
  if (result === null) return <p className="dim">Reading …</p>;
  const bytes = decodeHex(result.hex) ?? new Uint8Array();
  const end = whole.offset + whole.bytes;
  const turn = (to: number) => setPaged({ for: chosen, start: to });
  const { offset } = result;
  return (
    <div className="lens-hex-window in-column rigid">
      <p className="lens-hex-pages in-row">
        <Action disabled={start <= whole.offset} onClick={() => turn(Math.max(start - WINDOW, 0))}>
          ←<span className="visually-hidden"> Bytes before</span>
        </Action>
        <Action disabled={start + WINDOW >= end} onClick={() => turn(start + WINDOW)}>
          →<span className="visually-hidden"> Bytes after</span>
        </Action>
        <span className="dim">
          from {count(offset)} of {counted(result.length, 'byte')}
          {result.decoded && ', decoded'}
        </span>
      </p>
      <section
        className="lens-hex-rows mono"
        aria-label="Bytes as hexadecimal digits"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        {Array.from({ length: Math.ceil(bytes.length / ROW) }, (_, row) => (
          <HexLine
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name but their position
            key={row}
            offset={offset + row * ROW}
            bytes={bytes.subarray(row * ROW, (row + 1) * ROW)}
            {...{ opened, whole, chosen, onChoose }}
          />
        ))}
      </section>
    </div>
  );
}

interface LineProps extends Pick<Props, 'opened' | 'whole' | 'chosen' | 'onChoose'> {
  offset: number;
  bytes: Uint8Array;
}

const HexLine = memo(function HexLine(props: LineProps) {
  const { offset, bytes, opened, whole, chosen, onChoose } = props;
  const cells = Array.from(bytes, (byte, index) => {
    const at = offset + index;
    const isOutside = at < whole.offset || at >= whole.offset + whole.bytes;
    const place = isOutside ? null : placeOf(opened.parts, opened.from, whole, at);
    const part = place === null ? null : (opened.parts[place - opened.from] ?? null);
    const look = isOutside ? 'is-outside' : part ? lookOf(part) : '';
    return {
      byte,
      at,
      place,
      look: place === chosen && place !== null ? `${look} is-chosen` : look,
    };
  });
  return (
    <div className="lens-hex-line">
      <span className="dim">{offset.toString(16).padStart(6, '0')}</span>
      <span>
        {cells.map(({ byte, at, place, look }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the list leads to the same parts by keyboard
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <b key={at} className={look} onClick={() => place !== null && onChoose(place)}>
            {hexByte(byte)}
          </b>
        ))}
      </span>
      <span>
        {cells.map(({ byte, at, look }) => (
          <b key={at} className={look}>
            {letter(byte)}
          </b>
        ))}
      </span>
    </div>
  );
});
