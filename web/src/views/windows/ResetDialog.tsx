import type { View } from '../../model/engine.generated';
import { count, counted, size } from '../../model/words';
import { Primary, Quiet } from '../shared/buttons';
import { Dialog } from '../shared/Dialog';
import { useAnswer } from '../shared/useAnswer';

interface Props {
  view: View;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before everything is deleted. */
export function ResetDialog({ view, onConfirm, onClose }: Props) {
  const files = useAnswer({ ask: 'files' });
  const entries =
    view.memtables.reduce((sum, memtable) => sum + memtable.entries, 0) +
    view.levels.reduce((sum, level) => sum + level.tables.reduce((s, t) => s + t.entries, 0), 0);
  const all = files.state === 'ready' ? files.result : [];
  // The lock stays: it has no bytes, it is only held.
  const own = all.filter((file) => file.name !== 'LOCK');
  const bytes = all.reduce((sum, file) => sum + file.bytes, 0);
  const which =
    own.length < all.length
      ? `${count(own.length)} of ${counted(all.length, 'file')}`
      : counted(own.length, 'file');
  return (
    <Dialog title="Delete everything?" onClose={onClose}>
      <p>
        This deletes {files.state === 'ready' ? which : 'all files of the database'} with{' '}
        {counted(entries, 'key version')}
        {files.state === 'ready' && ` (${size(bytes)})`}. The options stay. Until this page is
        closed, a fork of an earlier step brings back what was there.
      </p>
      <div className="dialog-foot in-row">
        <Quiet onClick={onClose}>Keep everything</Quiet>
        <Primary className="danger" onClick={onConfirm}>
          Delete: reset --yes
        </Primary>
      </div>
    </Dialog>
  );
}
