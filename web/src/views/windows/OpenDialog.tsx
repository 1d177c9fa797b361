import './OpenDialog.css';

import { useRef } from 'react';
import type { FormatState } from '../../model/engine.generated';
import { BYTES_MAX } from '../../model/engine.generated';
import { size } from '../../model/words';
import { Action, Primary } from '../shared/buttons';
import { Columns } from '../shared/Columns';
import { useCommands } from '../shared/contexts';
import { Dialog } from '../shared/Dialog';
import { DirectoryInput } from '../shared/DirectoryInput';
import { useAnswer } from '../shared/useAnswer';

interface Props {
  /** Files that were chosen, or those of a directory. */
  onFiles(files: readonly File[]): void;
  onClose(): void;
}

const HOLDS: Readonly<Record<FormatState['holds'], string>> = {
  table: 'table',
  log: 'log',
  metadata: 'metadata',
};

/** Where files come in and the database goes out. */
export function OpenDialog({ onFiles, onClose }: Props) {
  const { type } = useCommands();
  const directory = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const formats = useAnswer({ ask: 'formats' }, '');
  const leave = (command: string) => {
    onClose();
    type(command);
  };
  const take = (input: HTMLInputElement) => {
    if (input.files && input.files.length > 0) onFiles([...input.files]);
    onClose();
  };
  return (
    <Dialog title="Open files" onClose={onClose} className="open-dialog">
      <p>
        Files of this program and of others are read here, on this machine: nothing is sent
        anywhere. They are only looked at; the database stays as it is. At most {size(BYTES_MAX)}.
      </p>
      <div className="commands">
        <Primary onClick={() => files.current?.click()}>Choose files …</Primary>
        <Action onClick={() => directory.current?.click()}>Choose a directory …</Action>
      </div>
      <p className="dim">
        Or drop files, directories and zip archives anywhere on the page. A database of this program
        among them can then be opened as a branch of its own.
      </p>
      <p>
        A directory of RocksDB, Pebble or LevelDB, or single files of one, open in a{' '}
        <a href="#directory">view of its own</a>: its levels, its history, and answers to ten
        questions. There are samples, too.
      </p>
      <input
        ref={files}
        className="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Files to open"
        onChange={(event) => take(event.target)}
      />
      <DirectoryInput ref={directory} onTake={take} />
      <h3>Take the database with you</h3>
      <div className="commands">
        <Action onClick={() => leave('export')}>Download database (.zip)</Action>
        <Action onClick={() => leave('export --leveldb')}>Download as LevelDB (.zip)</Action>
      </div>
      {formats.state === 'ready' && <Formats formats={formats.result} />}
    </Dialog>
  );
}

/** What can be read of other programs. */
function Formats({ formats }: { formats: readonly FormatState[] }) {
  return (
    <details className="open-formats">
      <summary>{formats.length} formats of single files</summary>
      <table className="parts formats">
        <Columns names={['format', 'is a', 'what is special about it']} />
        <tbody>
          {formats.map(({ id, holds, name, purpose }) => (
            <tr key={id}>
              <th scope="row">
                <code>{id}</code>
              </th>
              <td>{HOLDS[holds]}</td>
              <td>
                {name}. <span className="dim">{purpose}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
