import { useEffect, useRef } from 'react';
import type { KnownFile } from '../../model/files';
import { classes, joined, size } from '../../model/words';
import { useSelection } from '../shared/contexts';
import { FileTable } from './FileTable';
import { NEAREST, OptionLine } from './OptionLine';

interface Props {
  files: readonly KnownFile[];
  selected: string | null;
}

/** All files of the database, side by side. */
export function FileStrip({ files, selected }: Props) {
  const { select } = useSelection();
  const host = useRef<HTMLDivElement>(null);
  const at = files.findIndex(({ id }) => id === selected);
  useEffect(() => {
    if (at >= 0) host.current?.children[at]?.scrollIntoView?.(NEAREST);
  }, [at]);
  return (
    <OptionLine
      className="file-strip in-row widens"
      ref={host}
      aria-label="Files"
      items={files}
      selected={at}
      keyOf={({ id }) => id}
      onItem={({ id }) => select(id)}
      attributesOf={(file) => ({
        'aria-label': joined([file.name, file.role, size(file.bytes), file.damage]),
        className: classes('file-chip in-row rigid', file.damage !== null && 'damaged'),
        title: file.role,
        children: (
          <>
            <i className={`swatch rigid ${swatchOf(file)}`} aria-hidden="true" />
            <code>{file.name}</code>
            <span className="dim">
              {file.level === null ? '' : `L${file.level} · `}
              {size(file.bytes)}
            </span>
            {file.damage !== null && <strong className="bad">▲ damaged</strong>}
          </>
        ),
      })}
    />
  );
}

/** The same as a table, while no file is on show. */
export function FileChoice({ files }: Pick<Props, 'files'>) {
  const { select } = useSelection();
  const lines = files.map((file) => {
    const kind = file.id.startsWith('wal:') ? 'write-ahead log' : file.id.replace(/:.*/, '');
    return { ...file, kind, why: file.role, counts: true, swatch: swatchOf(file) };
  });
  return (
    <div className="file-choice grows" data-pages>
      <FileTable
        caption="Files of the database. Choose one to see its bytes."
        files={lines}
        heads={[null, 'what it is']}
        onBytes={({ id }) => select(id)}
      />
    </div>
  );
}

function swatchOf({ id, level, damage }: KnownFile): string {
  if (damage !== null) return 'part-damaged';
  if (id.startsWith('wal:')) return 'part-record';
  return level === null ? 'part-meta' : `level-${Math.min(level, 3)} part-block`;
}
