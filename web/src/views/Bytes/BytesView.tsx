import { type KeyboardEvent, useMemo } from 'react';
import { NO_DAMAGE } from '../../model/damage';
import { fileOfSelection, type KnownFile, knownFiles } from '../../model/files';
import { parseSelection } from '../../model/selection';
import type { Page } from '../../model/shown';
import { BackButton } from '../shared/BackButton';
import { Action } from '../shared/buttons';
import { closesByEscape } from '../shared/closesByEscape';
import { useViews } from '../shared/contexts';
import { useAnswer } from '../shared/useAnswer';
import { FileBytes } from './FileBytes';
import { FileChoice, FileStrip } from './FileList';

interface Props {
  page: Pick<Page, 'view' | 'selection' | 'damages'>;
  /** Whether the bytes are shown as a table of fields. */
  asTable: boolean;
}

const NO_FILES: readonly KnownFile[] = [];

/** Every byte of every file: ribbon, tree, hex and data inspector of one selection. */
export function BytesView(props: Props) {
  const { page, asTable } = props;
  const { openWindow, closeFull } = useViews();
  const { view, damages } = page;
  const selection = useMemo(
    () => (page.selection === null ? null : parseSelection(page.selection)),
    [page.selection],
  );
  const listed = useAnswer({ ask: 'files' });
  const files = useMemo(
    () => (listed.state === 'ready' ? knownFiles(listed.result, view, damages) : NO_FILES),
    [listed, view, damages],
  );
  const id = fileOfSelection(selection, view);
  const file = files.find((known) => known.id === id) ?? null;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    focusField(event);
    closesByEscape(closeFull)(event);
  };
  return (
    <section className="bytes-view" aria-label="Bytes of files" onKeyDown={onKeyDown}>
      <div className="bytes-sheet in-column">
        <div className="bytes-head in-row rigid">
          <BackButton />
          <FileStrip files={files} selected={id} />
          <Action onClick={() => openWindow('open')}>Open other files …</Action>
        </div>
        {id === null ? (
          <FileChoice files={files} />
        ) : (
          <FileBytes
            key={id}
            id={id}
            file={file}
            damages={damages.get(id) ?? NO_DAMAGE}
            selection={selection}
            asTable={asTable}
            isGone={listed.state === 'ready' && file === null}
          />
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
