import './FilesIn.css';

import { useEffect, useRef } from 'react';
import { gatherChosen, gatherDropped } from '../share/gather';
import type { Lab } from './lab';
import { useDrop } from './useDrop';

/** Receives files: through the file dialog that `open` shows, and by drops anywhere on the page. */
export function FilesIn({ lab, isOpen }: { lab: Lab; isOpen: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    lab.pick = () => input.current?.click();
  }, [lab]);
  const isDropping = useDrop(isOpen, (transfer) => {
    lab.openWindow(null);
    void lab.openFiles(gatherDropped(transfer));
  });
  return (
    <>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ target }) => {
          if (target.files) void lab.openFiles(gatherChosen([...target.files]));
          target.value = '';
        }}
      />
      {isDropping && (
        <div className="drop-target">
          <p>
            Drop files to look inside them
            <small>tables, logs, directories and zip archives; nothing is sent anywhere</small>
          </p>
        </div>
      )}
    </>
  );
}
