import { type InputHTMLAttributes, useState } from 'react';
import { parseOffset } from '../../model/bytes';
import { closesByEscape } from '../shared/closesByEscape';
import type { useByteSearch } from './useByteSearch';

interface Props {
  search: ReturnType<typeof useByteSearch>;
  onLeaveField(): void;
}

/** Two fields: an offset to go to, and bytes or text to find. */
export function ByteTools({ search, onLeaveField }: Props) {
  const [wrong, setWrong] = useState(false);
  return (
    <div className="byte-tools in-row">
      <Tool
        name="Go to"
        className="go-to mono"
        size={8}
        placeholder="0x40"
        aria-label="Go to offset, decimal or 0x"
        aria-invalid={wrong}
        onChange={() => setWrong(false)}
        onLeave={onLeaveField}
        onEnter={(text) => {
          const offset = parseOffset(text);
          setWrong(offset === null);
          if (offset === null) return;
          search.go(offset);
          onLeaveField();
        }}
      />
      <Tool
        name="Find"
        className="find mono"
        size={14}
        placeholder="text or 0x6170"
        aria-label="Find text, or bytes after 0x"
        onLeave={onLeaveField}
        onEnter={search.find}
      />
      <span className="found dim" role="status">
        {search.found}
      </span>
    </div>
  );
}

interface ToolProps extends InputHTMLAttributes<HTMLInputElement> {
  name: string;
  onEnter(text: string): unknown;
  onLeave(): void;
}

/** A field that Enter reads and that Escape leaves. */
function Tool({ name, onEnter, onLeave, ...input }: ToolProps) {
  return (
    <label className="in-row dim">
      <span>{name}</span>
      <input
        {...input}
        spellCheck={false}
        autoComplete="off"
        onKeyDown={(event) => {
          closesByEscape(onLeave)(event);
          if (event.key === 'Escape') event.stopPropagation();
          if (event.key === 'Enter') onEnter(event.currentTarget.value);
        }}
      />
    </label>
  );
}
