import type { View } from '../../model/engine.generated';
import { counted, size } from '../../model/words';
import { Dialog } from '../shared/Dialog';

interface Props {
  view: View;
  fileBytes: number;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before everything is deleted. */
export function ResetDialog({ view, fileBytes, onConfirm, onClose }: Props) {
  const tables = view.levels.reduce((sum, level) => sum + level.tables.length, 0);
  const entries =
    view.memtables.reduce((sum, memtable) => sum + memtable.entries, 0) +
    view.levels.reduce((sum, level) => sum + level.tables.reduce((s, t) => s + t.entries, 0), 0);
  return (
    <Dialog title="Delete everything?" onClose={onClose}>
      <p>
        This deletes {counted(tables, 'table')} and {counted(view.wals.length, 'log')} with{' '}
        {counted(entries, 'entry')} ({size(fileBytes)}), for ever. The options stay.
      </p>
      <div className="dialog-foot">
        <button type="button" className="quiet" onClick={onClose}>
          Keep everything
        </button>
        <button type="button" className="primary danger" onClick={onConfirm}>
          Delete: reset --yes
        </button>
      </div>
    </Dialog>
  );
}
