import './FilesIn.css';

import { useEffect, useRef, useState } from 'react';
import { type Listed, listChosen, listDropped } from '../share/entries';
import { FileInput } from '../views/shared/FileInput';
import type { Lab } from './lab';
import { useDrop } from './useDrop';

interface Props {
  lab: Lab;
  /** Whether files can be opened; until then they are queued. */
  isOpen: boolean;
  onFiles(listing: Promise<Listed[]>): void;
}

/** Receives files: through the file dialog that `open` shows, and by drops anywhere on the page. */
export function FilesIn({ lab, isOpen, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    lab.pick = () => input.current?.click();
  }, [lab]);
  const [waiting, setWaiting] = useState<Promise<Listed[]> | null>(null);
  useEffect(() => {
    if (!isOpen || waiting === null) return;
    setWaiting(null);
    onFiles(waiting);
  }, [isOpen, waiting, onFiles]);
  const isDropping = useDrop((transfer) => {
    lab.openWindow(null);
    setWaiting(listDropped(transfer));
  });
  return (
    <>
      <FileInput
        ref={input}
        multiple
        aria-hidden="true"
        onTake={(chosen) => {
          if (chosen.files) setWaiting(Promise.resolve(listChosen([...chosen.files])));
          chosen.value = '';
        }}
      />
      {isDropping && (
        <div className="drop-target">
          <p>
            Drop files to look inside them
            <small className="dim">
              tables, logs, zip archives, directories, also of RocksDB, Pebble and LevelDB; nothing
              is sent anywhere
            </small>
          </p>
        </div>
      )}
    </>
  );
}
