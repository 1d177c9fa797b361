import './DirectoryCard.css';

import type { ReactNode } from 'react';
import { wordOfText } from '../../model/commandWords';
import type { DirectoryState, OpenedState } from '../../model/engine.generated';
import { nameOfDatabase } from '../../model/opened';
import { count, counted, size } from '../../model/words';
import { Action, Primary, TextLink } from '../shared/buttons';
import { useCommands, useSelection } from '../shared/contexts';
import { PlaceText } from './PlaceText';

interface Props {
  directory: DirectoryState;
  /** Its files. */
  files: readonly OpenedState[];
  /** The list of its files. */
  children: ReactNode;
}

/** Damaged files that are named one by one; all are marked in the list of files. */
const DAMAGED_MAX = 8;
/** Files that are listed without being asked for. */
const LISTED_MAX = 12;

/** An opened directory as one object: its damage first, then what it is and what it holds. */
export function DirectoryCard({ directory, files, children }: Props) {
  const { id, what, damaged } = directory;
  const isBad = damaged.length > 0;
  return (
    <section className={`directory-card${isBad ? ' damaged' : ''}`} aria-label={`Directory ${id}`}>
      <h2>
        <code>{id}</code> is {what}
      </h2>
      {isBad && <Damage directory={directory} files={files} />}
      <p>{contents(directory)}</p>
      <Commands directory={directory} />
      <details open={files.length <= LISTED_MAX}>
        <summary>{counted(files.length, 'file')}</summary>
        {children}
      </details>
    </section>
  );
}

/** What is damaged, each file with its place. */
function Damage({ directory: { id, damaged }, files }: Pick<Props, 'directory' | 'files'>) {
  const shown = files.filter((file) => damaged.includes(file.id)).slice(0, DAMAGED_MAX);
  const hidden = damaged.length - shown.length;
  return (
    <>
      <strong className="bad">
        ▲ {count(damaged.length)} of {counted(files.length, 'file')}{' '}
        {damaged.length === 1 ? 'is' : 'are'} damaged
      </strong>
      <ul>
        {shown.map((file) => (
          <DamagedFile key={file.id} file={file} directory={id} />
        ))}
        {hidden > 0 && <li>and {counted(hidden, 'other damaged file')}</li>}
      </ul>
    </>
  );
}

function DamagedFile({ file, directory }: { file: OpenedState; directory: string }) {
  const { select } = useSelection();
  const { id, damage } = file;
  if (!damage) return null;
  return (
    <li>
      <TextLink onClick={() => select(id)}>
        <code>{id.slice(directory.length + 1)}</code>
      </TextLink>{' '}
      <PlaceText
        what="damaged"
        place={damage}
        onOffset={(offset) => select(`${id}/bytes:${offset}-${offset}`)}
      />
    </li>
  );
}

function contents(directory: DirectoryState): string {
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
  const { id, database } = directory;
  return (
    <div className="commands">
      {database !== null && (
        <Primary onClick={() => type(`import ${wordOfText(database)}`)}>
          Open {nameOfDatabase(database)} as a branch
        </Primary>
      )}
      <Action onClick={() => type(`export ${wordOfText(id)}`)}>Save a copy</Action>
      <Action onClick={() => type(`close ${wordOfText(id)}`)}>Close the directory</Action>
    </div>
  );
}
