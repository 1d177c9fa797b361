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
  const [label, setLabel] = useState(verb);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setLabel('Copied');
    } catch {
      setLabel('Not allowed');
      onDenied?.();
    }
  };
  return (
    <Action onClick={copy} aria-label={`${label}: ${name}`}>
      <span aria-live="polite">{label}</span>
    </Action>
  );
}
