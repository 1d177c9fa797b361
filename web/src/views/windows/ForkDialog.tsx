import { count } from '../../model/words';
import { Dialog } from '../shared/Dialog';

interface Props {
  command: string;
  step: number;
  /** The step from which a fork goes on: the end of the call that contains the step on show. */
  from: number;
  onChoose(choice: 'fork' | 'now' | 'cancel'): void;
}

/** The past is read-only: where should a command that writes be carried out? */
export function ForkDialog({ command, step, from, onChoose }: Props) {
  const isWithin = from > step;
  return (
    <Dialog title="This is the past" onClose={() => onChoose('cancel')}>
      <p>
        Step {count(step)} is in the past, so <code>{command}</code> was not executed. A fork goes
        on from step {count(from)}
        {isWithin && `, where the call that contains step ${count(step)} ends,`} in a copy in
        memory; the later steps stay on their branch.
      </p>
      <div className="dialog-foot">
        <button type="button" className="primary" data-first onClick={() => onChoose('fork')}>
          {isWithin ? `Fork from step ${count(from)}` : 'Fork here'}
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
