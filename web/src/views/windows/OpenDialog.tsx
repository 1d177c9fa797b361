import { useRef } from 'react';
import { Action, Primary } from '../shared/buttons';
import { useCommands } from '../shared/contexts';
import { Dialog } from '../shared/Dialog';
import { FileInput } from '../shared/FileInput';

interface Props {
  /** Files that were chosen, or those of a directory. */
  onFiles(files: readonly File[]): void;
  onClose(): void;
}

/** Where files come in and the database goes out. */
export function OpenDialog({ onFiles, onClose }: Props) {
  const { type } = useCommands();
  const directory = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const leave = (command: string) => {
    onClose();
    type(command);
  };
  const take = (input: HTMLInputElement) => {
    if (input.files && input.files.length > 0) onFiles([...input.files]);
    onClose();
  };
  return (
    <Dialog title="Open files" onClose={onClose}>
      <p>
        Files open in a <a href="#directory">view of their own</a>, on this machine: nothing is sent
        anywhere. They are only looked at; the database stays as it is.
      </p>
      <div className="commands">
        <Primary onClick={() => files.current?.click()}>Choose files …</Primary>
        <Action onClick={() => directory.current?.click()}>Choose a directory …</Action>
      </div>
      <p className="dim">
        Or drop files, directories and zip archives anywhere on the page: databases of RocksDB,
        Pebble, LevelDB and of this program, single files of them, and files of the experiments. A
        database of this program, and the entries of any file, can then be opened as a branch.
      </p>
      <FileInput ref={files} multiple aria-label="Files to open" onTake={take} />
      <FileInput ref={directory} isDirectory aria-label="Directory to open" onTake={take} />
      <h3>Take the database with you</h3>
      <div className="commands">
        <Action onClick={() => leave('export')}>Download database (.zip)</Action>
        <Action onClick={() => leave('export --leveldb')}>Download as LevelDB (.zip)</Action>
        <Action onClick={() => leave('export --entries')}>Download the entries (.db)</Action>
      </div>
    </Dialog>
  );
}
