import type { ComponentProps } from 'react';
import { Icon, type IconName } from './Icon';

/** A button with one of the looks of the page; it may have more classes. */
function withLook(look: string) {
  return function Button({ className, ...rest }: ComponentProps<'button'>) {
    const classes = className === undefined ? look : `${look} ${className}`;
    return <button type="button" className={classes} {...rest} />;
  };
}

export const Action = withLook('command');
export const Primary = withLook('primary');
export const Quiet = withLook('quiet');
export const Secondary = withLook('secondary');
/** Looks like a link in a text. */
export const TextLink = withLook('link');

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'name'> {
  name: string;
  icon: IconName;
  isPrimary?: boolean;
  /** Shows the icon; screen readers get the name. */
  isSmall?: boolean;
}

/** A button of a time bar. */
export function IconButton({ name, icon, isPrimary, isSmall, ...rest }: IconButtonProps) {
  const classes = ['icon', isPrimary ? 'primary' : '', isSmall ? 'small' : ''];
  return (
    <button type="button" className={classes.filter(Boolean).join(' ')} {...rest}>
      <Icon name={icon} /> {isSmall ? <span className="visually-hidden">{name}</span> : name}
    </button>
  );
}
