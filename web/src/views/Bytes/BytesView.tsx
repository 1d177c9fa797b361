import { type KeyboardEvent, useMemo } from 'react';
import type { Damage } from '../../engine/protocol';
import { readFiles, readVerbs } from '../../model/answers';
import { fileOfSelection, type KnownFile, knownFiles, openedFiles } from '../../model/files';
import { readOpened } from '../../model/opened';
import { parseSelection } from '../../model/selection';
import type { Page } from '../../model/shown';
import type { Ask } from '../shared/ask';
import { useAnswer } from '../shared/useAnswer';
import { FileBytes } from './FileBytes';
import { FileStrip, FileTable } from './FileList';

interface Props {
  page: Pick<Page, 'view' | 'selection' | 'damages'>;
  /** Changes when the answers of the engine may. */
  moment: string;
  ask: Ask;
  /** Whether the bytes are shown as a table of fields. */
  asTable: boolean;
  onSelect(selection: string | null): void;
  onType(command: string): void;
  /** Asks for files to open. */
  onOpen(): void;
  onClose(): void;
}

const NO_FILES: readonly KnownFile[] = [];
const NO_DAMAGE: readonly Damage[] = [];

/** Every byte of every file: ribbon, tree, hex and data inspector of one selection. */
export function BytesView(props: Props) {
  const { page, moment, ask, asTable, onSelect, onType, onOpen, onClose } = props;
  const { view, damages } = page;
  const selection = useMemo(
    () => (page.selection === null ? null : parseSelection(page.selection)),
    [page.selection],
  );
  const listed = useAnswer(ask, 'files', moment, readFiles);
  const verbs = useAnswer(ask, 'help', '', readVerbs);
  const opened = useAnswer(ask, 'opened', moment, readOpened);
  const files = useMemo(() => {
    const own = listed.state === 'ready' ? knownFiles(listed.result, view, damages) : NO_FILES;
    return opened.state === 'ready' ? [...own, ...openedFiles(opened.result)] : own;
  }, [listed, opened, view, damages]);
  const id = fileOfSelection(selection, view);
  const file = files.find((known) => known.id === id) ?? null;
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };
  const canCorrupt = verbs.state === 'ready' && verbs.result.includes('corrupt');
  return (
    <section className="bytes-view" aria-label="Bytes of files" onKeyDown={close}>
      <div className="bytes-head">
        <button
          type="button"
          className="quiet back"
          onClick={onClose}
          title="Back to the picture (Esc)"
        >
          <span aria-hidden="true">←</span> Lab
        </button>
        <FileStrip files={files} selected={id} onPick={onSelect} />
        <button type="button" className="command" onClick={onOpen}>
          Open more …
        </button>
      </div>
      {id === null ? (
        <FileTable files={files} onPick={onSelect} onType={onType} />
      ) : (
        <FileBytes
          key={id}
          id={id}
          file={file}
          damages={damages.get(id) ?? NO_DAMAGE}
          selection={selection}
          // Opened files do not change with the database.
          moment={file?.opened ? `${file.bytes} ${file.role}` : moment}
          ask={ask}
          asTable={asTable}
          isGone={listed.state === 'ready' && opened.state === 'ready' && file === null}
          canCorrupt={canCorrupt}
          onSelect={onSelect}
          onType={onType}
        />
      )}
      {id === null && listed.state === 'failed' && <p className="problem">{listed.message}</p>}
    </section>
  );
}
