import './Dialog.css';

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Quiet } from './buttons';
import { focusQuietly, showsFocus } from './pointed';

interface Props {
  title: string;
  onClose(): void;
  children: ReactNode;
  className?: string;
}

/** A modal window; Escape and the cross close it, and the focus goes back where it was. */
export function Dialog({ title, onClose, children, className = '' }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // A layout effect, so that closing returns the focus at once and never steals it later.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog || dialog.open) return;
    const before = document.activeElement;
    const isQuiet =
      before instanceof HTMLElement && before !== document.body && !showsFocus(before);
    if (dialog.showModal) dialog.showModal();
    else dialog.setAttribute('open', '');
    // The window's main control comes first, unless it is destructive.
    dialog.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => {
      dialog.close?.();
      // Keys that moved through time go on doing so.
      if (isQuiet && before === document.activeElement) focusQuietly(before);
    };
  }, []);
  return (
    <dialog
      ref={element}
      className={`dialog ${className}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="dialog-head in-row">
        <h2 id={heading}>{title}</h2>
        <Quiet onClick={onClose} aria-label="Close">
          ✕
        </Quiet>
      </div>
      {children}
    </dialog>
  );
}
