import type { InputHTMLAttributes, Ref } from 'react';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  ref: Ref<HTMLInputElement>;
  /** Whether a whole directory is chosen. */
  isDirectory?: boolean;
  onTake(input: HTMLInputElement): void;
}

/** The input that a button presses to let a person choose files. */
export function FileInput({ ref, isDirectory = false, onTake, ...input }: Props) {
  return (
    <input
      ref={ref}
      className="visually-hidden"
      type="file"
      tabIndex={-1}
      onChange={(event) => onTake(event.target)}
      {...(isDirectory ? { webkitdirectory: '' } : {})}
      {...input}
    />
  );
}
