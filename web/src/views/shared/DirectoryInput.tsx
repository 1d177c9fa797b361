import type { Ref } from 'react';

interface Props {
  ref: Ref<HTMLInputElement>;
  onTake(input: HTMLInputElement): void;
}

/** The input that a button presses to let a person choose a directory. */
export function DirectoryInput({ ref, onTake }: Props) {
  return (
    <input
      ref={ref}
      className="visually-hidden"
      type="file"
      multiple
      tabIndex={-1}
      aria-label="Directory to open"
      onChange={(event) => onTake(event.target)}
      {...{ webkitdirectory: '' }}
    />
  );
}
