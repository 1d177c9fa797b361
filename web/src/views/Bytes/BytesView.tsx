import { type KeyboardEvent, useMemo } from 'react';
import { NO_DAMAGE } from '../../model/damage';
import type { DirectoryState } from '../../model/engine.generated';
import { fileOfSelection, type KnownFile, knownFiles, openedFiles } from '../../model/files';
import { parseSelection } from '../../model/selection';
import type { Page } from '../../model/shown';
import { BackButton } from '../shared/BackButton';
import { Action } from '../shared/buttons';
import { MomentProvider, useMoment, useViews } from '../shared/contexts';
import { useAnswer } from '../shared/useAnswer';
import { FileBytes } from './FileBytes';
import { FileStrip, FileTable } from './FileList';

interface Props {
  page: Pick<Page, 'view' | 'selection' | 'damages'>;
  /** Whether the bytes are shown as a table of fields. */
  asTable: boolean;
}

const NO_FILES: readonly KnownFile[] = [];
const NO_DIRECTORIES: readonly DirectoryState[] = [];

/** Every byte of every file: ribbon, tree, hex and data inspector of one selection. */
export function BytesView(props: Props) {
  const { page, asTable } = props;
  const { openWindow, closeFull } = useViews();
  const moment = useMoment();
  const { view, damages } = page;
  const selection = useMemo(
    () => (page.selection === null ? null : parseSelection(page.selection)),
    [page.selection],
  );
  const listed = useAnswer({ ask: 'files' });
  const opened = useAnswer({ ask: 'opened' });
  const files = useMemo(() => {
    const own = listed.state === 'ready' ? knownFiles(listed.result, view, damages) : NO_FILES;
    return opened.state === 'ready' ? [...own, ...openedFiles(opened.result.files)] : own;
  }, [listed, opened, view, damages]);
  const id = fileOfSelection(selection, view);
  const file = files.find((known) => known.id === id) ?? null;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    focusField(event);
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    closeFull();
  };
  return (
    <section className="bytes-view" aria-label="Bytes of files" onKeyDown={onKeyDown}>
      <div className="bytes-sheet in-column">
        <div className="bytes-head in-row rigid">
          <BackButton />
          <FileStrip files={files} selected={id} />
          <Action onClick={() => openWindow('open')}>Open more …</Action>
        </div>
        {id === null ? (
          <FileTable
            files={files}
            directories={opened.state === 'ready' ? opened.result.directories : NO_DIRECTORIES}
          />
        ) : (
          // Opened files do not change with the database.
          <MomentProvider key={id} value={file?.opened ? `${file.bytes} ${file.role}` : moment}>
            <FileBytes
              id={id}
              file={file}
              damages={damages.get(id) ?? NO_DAMAGE}
              selection={selection}
              asTable={asTable}
              isGone={listed.state === 'ready' && opened.state === 'ready' && file === null}
            />
          </MomentProvider>
        )}
        {id === null && listed.state === 'failed' && <p className="problem">{listed.message}</p>}
      </div>
    </section>
  );
}

/** `g` and `f` lead to the fields above the bytes, from the list of files too. */
function focusField(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target instanceof HTMLInputElement) return;
  const name = { g: 'go-to', f: 'find' }[event.key];
  const field = name && event.currentTarget.querySelector<HTMLInputElement>(`input.${name}`);
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
}
