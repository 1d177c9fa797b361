import './FileList.css';

import { useEffect, useId, useRef, useState } from 'react';
import type { KnownFile } from '../../model/files';
import { joined, size } from '../../model/words';
import { useSelection } from '../shared/contexts';
import { optionKeys } from '../shared/optionKeys';
import { FileTable, type ListedFile } from './FileTable';

interface Props {
  files: readonly KnownFile[];
  selected: string | null;
}

/** All files of the database, side by side: one tab stop, arrow keys walk, Enter opens. */
export function FileStrip({ files, selected }: Props) {
  const { select } = useSelection();
  const base = useId();
  const host = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const at = files.findIndex(({ id }) => id === selected);
  const index = focused === null ? at : files.findIndex(({ id }) => id === focused);
  useEffect(() => {
    if (at >= 0)
      host.current?.children[at]?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [at]);
  const onMove = (to: number) => {
    setFocused(files[to]?.id ?? null);
    host.current?.children[to]?.scrollIntoView?.({ inline: 'nearest' });
  };
  const onChoose = () => select(files[index]?.id ?? null);
  return (
    <div
      className="file-strip widens"
      ref={host}
      role="listbox"
      tabIndex={0}
      aria-label="Files"
      aria-orientation="horizontal"
      aria-activedescendant={index >= 0 ? `${base}-${index}` : undefined}
      onKeyDown={(event) => optionKeys(event, { at: index, count: files.length, onMove, onChoose })}
      onBlur={() => setFocused(null)}
    >
      {files.map((file, place) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names this as its active descendant
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
        <div
          key={file.id}
          id={`${base}-${place}`}
          role="option"
          aria-selected={file.id === selected}
          aria-label={joined([file.name, file.role, size(file.bytes), file.damage])}
          className={`file-chip in-row rigid${file.id === focused ? ' focused' : ''}${file.damage === null ? '' : ' damaged'}`}
          title={file.role}
          onClick={() => select(file.id)}
        >
          <i className={`swatch rigid ${swatchOf(file)}`} aria-hidden="true" />
          <code>{file.name}</code>
          <span className="dim">
            {file.level === null ? '' : `L${file.level} · `}
            {size(file.bytes)}
          </span>
          {file.damage !== null && <strong className="bad">▲ damaged</strong>}
        </div>
      ))}
    </div>
  );
}

/** The same as a table, while no file is on show. */
export function FileChoice({ files }: Pick<Props, 'files'>) {
  const { select } = useSelection();
  const known = new Map(files.map((file) => [file.name, file]));
  const lines = files.map(({ id, role: why, ...file }) => {
    const kind = id.startsWith('wal:') ? 'write-ahead log' : id.replace(/:.*/, '');
    return { ...file, kind, why, counts: true };
  });
  const swatch = ({ name }: ListedFile) => {
    const file = known.get(name);
    return file ? swatchOf(file) : '';
  };
  return (
    <div className="file-choice grows" data-pages>
      <FileTable
        caption="Files of the database. Choose one to see its bytes."
        files={lines}
        heads={[null, 'what it is']}
        swatchOf={swatch}
        onBytes={(name) => select(known.get(name)?.id ?? null)}
      />
    </div>
  );
}

function swatchOf({ id, level, damage }: KnownFile): string {
  if (damage !== null) return 'part-damaged';
  if (id.startsWith('wal:')) return 'part-record';
  return level === null ? 'part-meta' : `level-${Math.min(level, 3)} part-block`;
}
