import './Timeline.css';

import type { ReactNode } from 'react';
import { Icon, type IconName } from '../shared/Icon';
import { type SliderProps, TimelineSlider } from './TimelineSlider';

/**
 * A button of a time bar; `act`: `null` where it can do nothing now. `small` ones show their icon alone. `isOn`: whether a
 * button that stays pressed is.
 */
export type TimeButton = readonly [
  name: string,
  icon: IconName,
  hint: string,
  act: (() => void) | null,
  look?: 'small' | 'primary' | undefined,
  isOn?: boolean,
];

interface Props extends SliderProps {
  label: string;
  buttons: readonly TimeButton[];
  isPast: boolean;
  /** After the history. */
  children: ReactNode;
}

/** The controls of time: buttons, the whole history on one line, and what else there is to choose. */
export function TimeBar({ label, buttons, isPast, children, ...slider }: Props) {
  return (
    <div className={`story-time rigid line-above${isPast ? ' past' : ''}`}>
      <div className="transport in-row" role="toolbar" aria-label={label}>
        <div className="buttons">
          {buttons.map(([name, icon, hint, act, look, isOn], place) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: a button that stands for another one keeps the focus
              key={place}
              type="button"
              className={`icon ${look ?? ''}`}
              title={`${name}${hint.startsWith('(') ? ' ' : ': '}${hint}`}
              disabled={act === null}
              aria-pressed={isOn}
              onClick={() => act?.()}
            >
              <Icon name={icon} />{' '}
              <span className={look === 'small' ? 'visually-hidden' : undefined}>{name}</span>
            </button>
          ))}
        </div>
        <TimelineSlider {...slider} />
        {children}
      </div>
    </div>
  );
}
