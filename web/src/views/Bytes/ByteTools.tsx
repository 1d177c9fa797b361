import { type KeyboardEvent, useState } from 'react';
import { parseOffset } from '../../model/bytes';

interface Props {
  /** The message of the last search. */
  found: string;
  onGo(offset: number): void;
  onFind(text: string): void;
  onLeaveField(): void;
}

/** Two fields: an offset to go to, and bytes or text to find. */
export function ByteTools({ found, onGo, onFind, onLeaveField }: Props) {
  const [wrong, setWrong] = useState(false);
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return false;
    event.stopPropagation();
    event.preventDefault();
    onLeaveField();
    return true;
  };
  return (
    <div className="byte-tools in-row">
      <label className="in-row dim">
        <span>Go to</span>
        <input
          className="go-to mono"
          size={8}
          placeholder="0x40"
          aria-label="Go to offset, decimal or 0x"
          aria-invalid={wrong}
          spellCheck={false}
          autoComplete="off"
          onChange={() => setWrong(false)}
          onKeyDown={(event) => {
            if (leave(event) || event.key !== 'Enter') return;
            const offset = parseOffset(event.currentTarget.value);
            setWrong(offset === null);
            if (offset === null) return;
            onGo(offset);
            onLeaveField();
          }}
        />
      </label>
      <label className="in-row dim">
        <span>Find</span>
        <input
          className="find mono"
          size={14}
          placeholder="text or 0x6170"
          aria-label="Find text, or bytes after 0x"
          spellCheck={false}
          autoComplete="off"
          onKeyDown={(event) => {
            if (leave(event) || event.key !== 'Enter') return;
            onFind(event.currentTarget.value);
          }}
        />
      </label>
      <span className="found dim" role="status">
        {found}
      </span>
    </div>
  );
}
