import './Parts.css';

import { useMemo } from 'react';
import { ribbonQuery } from '../../model/ask';
import { type DamagedByte, isHit } from '../../model/damage';
import type { Stretch } from '../../model/engine.generated';
import { signIn } from '../../model/followed';
import { classes, count, joined } from '../../model/words';
import { useFollowed } from '../Follow/following';
import { useAnswer } from '../shared/useAnswer';
import { OptionLine } from './OptionLine';
import { type RibbonPart, ribbonParts, ribbonX, stretchLabel } from './scene/ribbon';
import { type Place, type Span, spanOf } from './usePlace';

interface Props {
  /** The name of the file. */
  name: string;
  place: Place;
  /** Length of the file until its parts are known [bytes]. */
  bytes: number;
  /** Bytes that were flipped. */
  damages: readonly DamagedByte[];
}

const NO_STRETCHES: readonly Stretch[] = [];

/** A whole file to scale, part by part: one tab stop, walked through with the arrow keys. */
export function Ribbon({ name, place, bytes, damages }: Props) {
  const { id, trail, pinPath, point } = place;
  const answer = useAnswer(ribbonQuery(id));
  const known = answer.state === 'ready' ? answer.result : null;
  const stretches = known?.stretches ?? NO_STRETCHES;
  const total = known?.fileBytes ?? bytes;
  const parts = useMemo(() => ribbonParts(stretches, total), [stretches, total]);
  const on = holderOf(parts, trail?.at(-1)?.path ?? '');
  const followed = useFollowed();
  const attributesOf = (part: RibbonPart) => {
    const { stretch, x, width } = part;
    const isDamaged = isHit(damages, stretch.offset, stretch.bytes);
    const sign = signIn(followed, id, stretch.path);
    const label = joined([
      stretchLabel(stretch),
      isDamaged && 'damaged',
      sign && 'has the followed key',
    ]);
    return {
      'aria-label': label,
      title: label,
      'data-sign': sign ?? undefined,
      className: classes(
        `part part-${stretch.kind}`,
        part === parts[on] && 'on',
        isDamaged && 'damaged',
        sign && 'followed',
        stretch.number % 2 === 0 && 'even',
      ),
      style: { left: `${100 * x}%`, width: `${100 * width}%` },
      children: width > 0.02 && <Name stretch={stretch} />,
    };
  };
  return (
    <div className="ribbon-box rigid">
      <OptionLine
        className="ribbon"
        aria-label={`The file ${name} to scale. Arrow keys move, Enter selects.`}
        items={parts}
        selected={on}
        keyOf={({ stretch }) => stretch.offset}
        attributesOf={attributesOf}
        onItem={({ stretch }) => pinPath(stretch.path)}
        onHover={(part) => point(part && { path: part.stretch.path, node: part.stretch }, false)}
      >
        <Bands parts={parts} place={place} damages={damages} />
      </OptionLine>
      <div className="ribbon-legend dim" aria-hidden="true">
        <span>0</span>
        <span>
          {WORDS.filter(
            ([kind]) =>
              stretches.some((stretch) => stretch.kind === kind) ||
              (kind === 'damaged' && damages.length > 0),
          ).map(([kind, word]) => (
            <span key={kind}>
              <i className={`key part-${kind}`} /> {word}{' '}
            </span>
          ))}
        </span>
        <span>{count(Math.round(total))} B</span>
      </div>
    </div>
  );
}

/** Bytes that stand out, over the parts that have them: those on screen, selected ones, and those under the pointer. */
function Bands(props: Pick<Props, 'place' | 'damages'> & { parts: readonly RibbonPart[] }) {
  const { parts, damages, place } = props;
  const { inside, seen, hover, pin } = place;
  const bands: [string, Span | null][] = damages.map(({ offset }) => [
    'damage',
    { from: offset, end: offset + 1 },
  ]);
  if (inside === null) {
    bands.push(['window', seen], ['hover', hover && spanOf(hover)]);
    bands.push(['pin', pin && !pin.decoded ? pin.span : null]);
  }
  return bands.map(([name, span], index) => {
    if (!span) return null;
    const from = ribbonX(parts, span.from);
    const width = ribbonX(parts, span.end) - from;
    return (
      <i
        // biome-ignore lint/suspicious/noArrayIndexKey: bands have no name but their position
        key={index}
        className={`ribbon-${name}`}
        style={{ left: `${100 * from}%`, width: `${100 * width}%` }}
        aria-hidden="true"
      />
    );
  });
}

/** The name where it has room, else the number of a block; never half of either. */
function Name({ stretch: { name, kind, number, parts } }: { stretch: Stretch }) {
  return (
    <>
      <span className={name.length > 13 ? 'name long' : 'name'} aria-hidden="true">
        {name}
      </span>
      {kind === 'block' && parts === 1 && (
        <span className="number" aria-hidden="true">
          {number}
        </span>
      )}
    </>
  );
}

/** Place of the part that is selected or contains the selection; -1 when there is none. */
function holderOf(parts: readonly RibbonPart[], selected: string): number {
  return parts.findIndex(({ stretch: { path, kind, number, parts: joined } }) => {
    const above = path.slice(0, path.lastIndexOf('/') + 1);
    if (!selected.startsWith(above)) return false;
    const [step = ''] = selected.slice(above.length).split('/');
    const distance = Number(step.slice(kind.length + 1)) - number;
    return step.startsWith(`${kind}:`) && distance >= 0 && distance < joined;
  });
}

const WORDS: readonly (readonly [string, string])[] = [
  ['damaged', 'damaged'],
  ['block', 'data'],
  ['filter', 'filter'],
  ['index', 'index'],
  ['meta', 'meta'],
  ['footer', 'footer'],
  ['header', 'file header'],
  ['record', 'records'],
  ['mark', 'marks'],
  ['slot', 'slot'],
  ['zeros', 'zeros'],
  ['unread', 'not read'],
];
