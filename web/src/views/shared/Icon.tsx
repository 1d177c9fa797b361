import { ICONS } from './icons';

export type IconName = keyof typeof ICONS;

interface Props {
  name: IconName;
  /** Its setting is on. */
  isFilled?: boolean;
}

/** A small picture on a button; the button also has a name in words. */
export function Icon({ name, isFilled = false }: Props) {
  return (
    <svg className="sign" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} fill={isFilled ? 'currentColor' : 'none'} />
    </svg>
  );
}
