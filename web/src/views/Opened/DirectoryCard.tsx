import './DirectoryCard.css';

import type { ReactNode } from 'react';
import { wordOfText } from '../../model/commandWords';
import type { OpenedState } from '../../model/engine.generated';
import { nameOfDatabase, type OpenedDirectory } from '../../model/opened';
import { count, counted, size } from '../../model/words';
import { useCommands, useSelection } from '../shared/contexts';
import { PlaceText } from './PlaceText';

interface Props {
  directory: OpenedDirectory;
  /** The list of its files. */
  children: ReactNode;
}

/** Damaged files that are named one by one; all are marked in the list of files. */
const DAMAGED_MAX = 8;
/** Files whose names fit one command line. */
const NAMED_MAX = 50;
/** Files that are listed without being asked for. */
const LISTED_MAX = 12;

/** An opened directory as one object: its damage first, then what it is and what it holds. */
export function DirectoryCard({ directory, children }: Props) {
  const { id, what, files, damaged } = directory;
  const hidden = damaged.length - DAMAGED_MAX;
  return (
    <section
      className={`directory-card${damaged.length > 0 ? ' damaged' : ''}`}
      aria-label={`Directory ${id}`}
    >
      <h2>
        <code>{id}</code> is {what}
      </h2>
      {damaged.length > 0 && (
        <>
          <strong className="bad">
            ▲ {count(damaged.length)} of {counted(files.length, 'file')}{' '}
            {damaged.length === 1 ? 'is' : 'are'} damaged
          </strong>
          <ul>
            {damaged.slice(0, DAMAGED_MAX).map((file) => (
              <DamagedFile key={file.id} file={file} directory={id} />
            ))}
            {hidden > 0 && <li>and {counted(hidden, 'other damaged file')}</li>}
          </ul>
        </>
      )}
      <p>{contents(directory)}</p>
      <Commands directory={directory} />
      <details open={files.length <= LISTED_MAX}>
        <summary>{counted(files.length, 'file')}</summary>
        {children}
      </details>
    </section>
  );
}

function DamagedFile({ file, directory }: { file: OpenedState; directory: string }) {
  const { select } = useSelection();
  const { id, damage } = file;
  if (!damage) return null;
  return (
    <li>
      <button type="button" className="link" onClick={() => select(id)}>
        <code>{id.slice(directory.length + 1)}</code>
      </button>{' '}
      <PlaceText
        what="damaged"
        place={damage}
        onOffset={(offset) => select(`${id}/bytes:${offset}-${offset}`)}
      />
    </li>
  );
}

function contents(directory: OpenedDirectory): string {
  const { tables, logs, metadata, others, entries, bytes } = directory;
  const kinds = [
    [tables, 'table'],
    [logs, 'log'],
    [metadata, 'manifest or CURRENT file'],
    [others, 'other file'],
  ] as const;
  const told = kinds.flatMap(([number, noun]) => (number > 0 ? [counted(number, noun)] : []));
  const read = tables > 0 ? `; ${counted(entries, 'entry')} can be read in the tables` : '';
  return `${told.join(', ')}: ${size(bytes)}${read}.`;
}

function Commands({ directory }: Pick<Props, 'directory'>) {
  const { type } = useCommands();
  const { files, database } = directory;
  const words = files.map(({ id }) => wordOfText(id)).join(' ');
  return (
    <div className="commands">
      {database !== null && (
        <button
          type="button"
          className="primary"
          onClick={() => type(`import ${wordOfText(database)}`)}
        >
          Open {nameOfDatabase(database)} as a branch
        </button>
      )}
      {files.length <= NAMED_MAX && (
        <>
          <button type="button" className="command" onClick={() => type(`export ${words}`)}>
            Save a copy
          </button>
          <button type="button" className="command" onClick={() => type(`close ${words}`)}>
            Close the directory
          </button>
        </>
      )}
    </div>
  );
}
