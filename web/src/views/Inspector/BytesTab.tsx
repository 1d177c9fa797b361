import { NO_DAMAGE } from '../../model/damage';
import { fileOfSelection } from '../../model/files';
import type { ByteRange, Selection } from '../../model/selection';
import type { Page } from '../../model/shown';
import { count } from '../../model/words';
import { NodeTree } from '../Bytes/NodeTree';
import { useTree } from '../Bytes/useTree';
import { Action } from '../shared/buttons';
import { useViews } from '../shared/contexts';

interface Props {
  page: Page;
  selection: Selection | null;
}

/** Bytes of a file in words; of a block that was compressed, those of its decoded form. */
function rangeInWords({ from, to, decoded }: ByteRange): string {
  const where = decoded ? ' of the decoded block' : '';
  return from === to
    ? `byte ${count(from)}${where}`
    : `bytes ${count(from)} to ${count(to)}${where}`;
}

/** The parts of the selected file as a tree, and the way to its bytes. */
export function BytesTab({ page, selection }: Props) {
  const file = fileOfSelection(selection, page.view);
  return (
    <div className="bytes-tab in-column">
      <ToBytes words={file === null ? 'All files' : 'Every byte of it, in full width'} />
      {file === null ? (
        <p className="dim">Select a table, a log or a memtable to see the parts of its file.</p>
      ) : (
        <Parts key={file} file={file} page={page} selection={selection} />
      )}
      {selection?.range && <p className="dim">Selected: {rangeInWords(selection.range)}.</p>}
    </div>
  );
}

function Parts({ file, page, selection }: Props & { file: string }) {
  const tree = useTree(file, null);
  const { damages } = page;
  return (
    <>
      <NodeTree
        file={file}
        tree={tree}
        pinned={selection?.path ?? null}
        damages={damages.get(file) ?? NO_DAMAGE}
      />
      {tree.failure !== null && <p className="problem">{tree.failure}</p>}
    </>
  );
}

/** Leads to the view of bytes. */
export function ToBytes({ words }: { words: string }) {
  const { inspect } = useViews();
  return (
    <div className="commands">
      <Action onClick={() => inspect(true)}>
        {words} <kbd>b</kbd>
      </Action>
    </div>
  );
}
