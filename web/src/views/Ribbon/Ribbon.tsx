import './Ribbon.css';

import { useId, useMemo, useState } from 'react';
import { type DamagedByte, isHit } from '../../model/damage';
import type { Stretch } from '../../model/engine.generated';
import { signIn } from '../../model/followed';
import { count } from '../../model/words';
import { useFollowed } from '../Follow/following';
import { optionKeys } from '../shared/optionKeys';
import { type RibbonPart, ribbonParts, ribbonX, stretchLabel } from './scene';

interface Props {
  /** The name of the file or part. */
  name: string;
  /** The file as a selection. */
  file: string;
  stretches: readonly Stretch[];
  /** Length of the whole file [bytes]. */
  total: number;
  level: number;
  /** Bytes that were flipped. */
  damages: readonly DamagedByte[];
  /** Path of the part that is selected, or of something in it. */
  selected: string | null;
  onPick(path: string): void;
  onHover(part: Stretch | null): void;
  /** Bytes that are on screen elsewhere. */
  window: { from: number; to: number } | null;
  /** Bytes that stand out: selected ones, and those under the pointer. */
  pinned: { from: number; to: number } | null;
  hovered: { from: number; to: number } | null;
}

/** A whole file to scale, part by part: one tab stop, walked through with the arrow keys. */
export function Ribbon(props: Props) {
  const { name, stretches, total, level, selected, onPick, onHover, damages } = props;
  const base = useId();
  const parts = useMemo(() => ribbonParts(stretches, total), [stretches, total]);
  const [focused, setFocused] = useState<number | null>(null);
  const on = holderOf(parts, selected);
  const followed = useFollowed();
  const onMove = (to: number) => {
    setFocused(to);
    onHover(parts[to]?.stretch ?? null);
  };
  const onChoose = (at: number) => {
    const part = parts[at];
    if (part) onPick(part.stretch.path);
  };
  const keys = { at: focused ?? Math.max(on, 0), count: parts.length, onMove, onChoose };
  const active = focused === null ? undefined : `${base}-${focused}`;
  const label = `${name} to scale. Arrow keys move, Enter selects.`;
  return (
    <div className={`ribbon-box level-${Math.min(level, 3)}`}>
      <div
        className="ribbon"
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-orientation="horizontal"
        aria-activedescendant={active}
        onKeyDown={(event) => optionKeys(event, keys)}
        onFocus={() => setFocused((old) => old ?? Math.max(on, 0))}
        onBlur={() => setFocused(null)}
        onPointerLeave={() => onHover(null)}
      >
        {parts.map((part, index) => (
          <Part
            key={part.stretch.offset}
            part={part}
            damaged={isHit(damages, part.stretch.offset, part.stretch.bytes)}
            followed={signIn(followed, props.file, part.stretch.path)}
            id={`${base}-${index}`}
            on={index === on}
            focused={index === focused}
            onPick={onPick}
            onHover={onHover}
          />
        ))}
        <Bands {...props} parts={parts} />
      </div>
      <Legend stretches={stretches} total={total} isDamaged={damages.length > 0} />
    </div>
  );
}

function Legend(props: { stretches: readonly Stretch[]; total: number; isDamaged: boolean }) {
  const { stretches, total, isDamaged } = props;
  return (
    <div className="ribbon-legend dim" aria-hidden="true">
      <span>0</span>
      <span>
        {isDamaged && (
          <span>
            <i className="key part-damaged" /> damaged{' '}
          </span>
        )}
        {legend(stretches).map(([kind, word]) => (
          <span key={kind}>
            <i className={`key part-${kind}`} /> {word}{' '}
          </span>
        ))}
      </span>
      <span>{count(Math.round(total))} B</span>
    </div>
  );
}

/** Bytes that stand out, over the parts that have them. */
function Bands(props: Props & { parts: readonly RibbonPart[] }) {
  const { parts, damages } = props;
  return (
    <>
      {damages.map(({ offset }) => (
        <Band
          key={offset}
          parts={parts}
          range={{ from: offset, to: offset + 1 }}
          className="ribbon-damage"
        />
      ))}
      <Band parts={parts} range={props.window} className="ribbon-window" />
      <Band parts={parts} range={props.hovered} className="ribbon-hover" />
      <Band parts={parts} range={props.pinned} className="ribbon-pin" />
    </>
  );
}

interface PartProps extends Pick<Props, 'onPick' | 'onHover'> {
  part: RibbonPart;
  damaged: boolean;
  /** The sign of the version of the followed key that it holds; `null`: it holds none. */
  followed: string | null;
  id: string;
  on: boolean;
  focused: boolean;
}

function Part({ part, damaged, followed, id, on, focused, onPick, onHover }: PartProps) {
  const { stretch, x, width } = part;
  const label = `${stretchLabel(stretch)}${damaged ? ', damaged' : ''}${followed ? ', has the followed key' : ''}`;
  const style = { left: `${100 * x}%`, width: `${100 * width}%` };
  const classes = `part part-${stretch.kind}${on ? ' on' : ''}${focused ? ' focused' : ''}${damaged ? ' damaged' : ''}${followed ? ' followed' : ''}${stretch.number % 2 === 0 ? ' even' : ''}`;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names this as its active descendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    <div
      role="option"
      id={id}
      aria-selected={on}
      aria-label={label}
      className={classes}
      data-sign={followed ?? undefined}
      style={style}
      title={label}
      onClick={() => onPick(stretch.path)}
      onPointerEnter={() => onHover(stretch)}
    >
      {width > 0.02 && <Name stretch={stretch} />}
    </div>
  );
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

function Band(props: {
  parts: readonly RibbonPart[];
  range: { from: number; to: number } | null;
  className: string;
}) {
  const { parts, range, className } = props;
  if (!range) return null;
  const from = ribbonX(parts, range.from);
  const to = ribbonX(parts, range.to);
  const style = { left: `${100 * from}%`, width: `${100 * (to - from)}%` };
  return <i className={className} style={style} aria-hidden="true" />;
}

/** Index of the stretch that is selected or contains the selection; -1 when there is none. */
function holderOf(parts: readonly RibbonPart[], selected: string | null): number {
  return parts.findIndex(({ stretch: { path, kind, number, parts: joined } }) => {
    const above = path.slice(0, path.lastIndexOf('/') + 1);
    if (!selected?.startsWith(above)) return false;
    const [step = ''] = selected.slice(above.length).split('/');
    const distance = Number(step.slice(kind.length + 1)) - number;
    return step.startsWith(`${kind}:`) && distance >= 0 && distance < joined;
  });
}

const WORDS: readonly (readonly [string, string])[] = [
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
  ['damaged', 'damaged'],
];

function legend(stretches: readonly Stretch[]) {
  return WORDS.filter(([kind]) => stretches.some((stretch) => stretch.kind === kind));
}
