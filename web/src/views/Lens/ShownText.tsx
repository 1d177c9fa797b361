import { useState } from 'react';
import { counted } from '../../model/words';
import { Action } from '../shared/buttons';
import type { ShownKey } from './scene/answers';

/** A value as text; cut ones show the missing length. */
export function ValueText({ shown }: { shown: ShownKey }) {
  return (
    <>
      <code className="lens-value">{shown.text === '' ? '""' : shown.text}</code>
      {shown.leftOut > 0 && <span className="dim"> and {counted(shown.leftOut, 'byte')} more</span>}
    </>
  );
}

/** A key as text; its bytes as digits when asked for. */
export function KeyText({ shown }: { shown: ShownKey }) {
  const [asHex, setAsHex] = useState(false);
  const { text, hex, leftOut } = shown;
  const words = asHex ? hex : text;
  return (
    <span className="lens-key">
      <code>{words === '' ? '""' : words}</code>
      {leftOut > 0 && <span className="dim"> and {counted(leftOut, 'byte')} more</span>}{' '}
      <Action
        aria-pressed={asHex}
        title="The bytes of the key as hexadecimal digits"
        onClick={() => setAsHex(!asHex)}
      >
        hex
      </Action>
    </span>
  );
}
