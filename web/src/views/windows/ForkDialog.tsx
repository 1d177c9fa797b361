import { Dialog } from '../shared/Dialog';

interface Props {
  command: string;
  step: number;
  onChoose(choice: 'fork' | 'now' | 'cancel'): void;
}

/** The past is read-only: where should a command that writes be carried out? */
export function ForkDialog({ command, step, onChoose }: Props) {
  return (
    <Dialog title="This is the past" onClose={() => onChoose('cancel')}>
      <p>
        At step {step} nothing can be changed any more: the command <code>{command}</code> was not
        carried out. A fork goes on from step {step} in a copy in memory; what happened afterwards
        stays on its branch.
      </p>
      <div className="dialog-foot">
        <button type="button" className="primary" data-first onClick={() => onChoose('fork')}>
          Fork here
        </button>
        <button type="button" className="secondary" onClick={() => onChoose('now')}>
          Return to now
        </button>
        <button type="button" className="secondary" onClick={() => onChoose('cancel')}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
