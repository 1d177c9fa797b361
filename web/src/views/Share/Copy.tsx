import { useState } from 'react';
import { Action } from '../shared/buttons';

interface Props {
  text: string;
  /** The text's name. */
  name: string;
  /** The button's label. */
  verb?: string;
  /** The browser allows no access to the clipboard. */
  onDenied?(): void;
}

/** Puts a text into the clipboard, and shows the outcome. */
export function Copy({ text, name, verb = 'Copy', onDenied }: Props) {
  const [told, setTold] = useState(verb);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setTold('Copied');
    } catch {
      setTold('Not allowed');
      onDenied?.();
    }
  };
  return (
    <Action onClick={copy} aria-label={`${told}: ${name}`}>
      <span aria-live="polite">{told}</span>
    </Action>
  );
}
