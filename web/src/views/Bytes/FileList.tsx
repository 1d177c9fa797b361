import './FileList.css';

import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { wordOfText } from '../../model/commandWords';
import type { DirectoryState } from '../../model/engine.generated';
import type { KnownFile } from '../../model/files';
import { databasesAmong, directoryOf, nameOfDatabase } from '../../model/opened';
import { size } from '../../model/words';
import { DirectoryCard } from '../Opened/DirectoryCard';
import { Action, Primary, Quiet, TextLink } from '../shared/buttons';
import { useCommands, useSelection } from '../shared/contexts';

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
  const onKeyDown = (event: KeyboardEvent) => {
    const next = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1,
      Home: 0,
      End: files.length - 1,
    }[event.key];
    if (next !== undefined) {
      const file = files[Math.min(Math.max(next, 0), files.length - 1)];
      if (!file) return;
      setFocused(file.id);
      host.current?.children[files.indexOf(file)]?.scrollIntoView?.({ inline: 'nearest' });
    } else if ((event.key === 'Enter' || event.key === ' ') && files[index]) {
      select(files[index].id);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      className="file-strip widens"
      ref={host}
      role="listbox"
      tabIndex={0}
      aria-label="Files"
      aria-orientation="horizontal"
      aria-activedescendant={index >= 0 ? `${base}-${index}` : undefined}
      onKeyDown={onKeyDown}
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
          aria-label={[file.name, file.role, size(file.bytes), file.damage, file.unread]
            .filter((part) => part !== null)
            .join(', ')}
          className={`file-chip in-row rigid${file.id === focused ? ' focused' : ''}${file.damage === null ? '' : ' damaged'}`}
          title={file.role}
          onClick={() => select(file.id)}
        >
          <i className={`swatch rigid ${swatchOf(file)}`} aria-hidden="true" />
          <code>{file.name}</code>
          <span className="dim">
            {file.level === null ? '' : `L${file.level} · `}
            {file.opened ? (file.opened.format?.id ?? 'unknown') : size(file.bytes)}
          </span>
          {file.damage !== null && <strong className="bad">▲ damaged</strong>}
        </div>
      ))}
    </div>
  );
}

interface TableProps {
  files: readonly KnownFile[];
  directories: readonly DirectoryState[];
}

/** The same as tables, while no file is open. */
export function FileTable({ files, directories }: TableProps) {
  const { type } = useCommands();
  const opened = files.filter((file) => file.opened !== null);
  const own = files.filter((file) => file.opened === null);
  const inDirectory = (file: KnownFile, id: string) =>
    file.opened && directoryOf(file.opened) === id;
  const single = opened.filter((file) => !directories.some(({ id }) => inDirectory(file, id)));
  const databases = databasesAmong(single.flatMap((file) => file.opened ?? []));
  return (
    <div className="file-table grows" data-pages>
      {opened.length > 0 && (
        <div className="commands">
          {databases.map((database) => (
            <Primary key={database} onClick={() => type(`import ${wordOfText(database)}`)}>
              Open {nameOfDatabase(database)} as a branch
            </Primary>
          ))}
          {opened.length > 1 && (
            <Action onClick={() => type('close --all')}>Close all opened files</Action>
          )}
        </div>
      )}
      {directories.map((directory) => {
        const { id } = directory;
        const within = opened.filter((file) => inDirectory(file, id));
        return (
          <DirectoryCard
            key={id}
            directory={directory}
            files={within.flatMap((file) => file.opened ?? [])}
          >
            <Rows caption={`Files of ${id}. They are no part of the database.`} files={within} />
          </DirectoryCard>
        );
      })}
      {single.length > 0 && (
        <Rows caption="Opened files. They are no part of the database." files={single} />
      )}
      <Rows caption="Files of the database. Choose one to see its bytes." files={own} />
    </div>
  );
}

function Rows({ caption, files }: Pick<TableProps, 'files'> & { caption: string }) {
  const { select } = useSelection();
  const { type } = useCommands();
  const areOpened = files.some((file) => file.opened !== null);
  return (
    <table className={areOpened ? 'parts opened-files' : 'parts'}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">file</th>
          <th scope="col">size</th>
          <th scope="col">what it is</th>
          {areOpened && (
            <th scope="col">
              <span className="visually-hidden">close it</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {files.map((file) => (
          <tr key={file.id}>
            <td>
              <i className={`swatch rigid ${swatchOf(file)}`} aria-hidden="true" />
              <TextLink onClick={() => select(file.id)}>
                <code>{file.name}</code>
              </TextLink>
            </td>
            <td className="mono">{size(file.bytes)}</td>
            <td>
              {file.role}
              {file.damage !== null && <strong className="bad"> ▲ {file.damage}</strong>}
              {file.unread !== null && <span className="dim"> · {file.unread}</span>}
            </td>
            {areOpened && (
              <td>
                <Quiet
                  aria-label={`Close ${file.name}`}
                  onClick={() => type(`close ${wordOfText(file.id)}`)}
                >
                  ✕
                </Quiet>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function swatchOf({ id, level, opened, damage }: KnownFile): string {
  if (damage !== null) return 'part-damaged';
  if (opened) return 'part-filter';
  if (id.startsWith('wal:')) return 'part-record';
  return level === null ? 'part-meta' : `level-${Math.min(level, 3)} part-block`;
}
