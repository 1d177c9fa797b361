import type { ComponentProps } from 'react';

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
