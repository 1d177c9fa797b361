import { count } from '../../model/words';
import { Primary, Secondary } from '../shared/buttons';
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
      <div className="dialog-foot in-row">
        <Primary data-first onClick={() => onChoose('fork')}>
          {isWithin ? `Fork from step ${count(from)}` : 'Fork here'}
        </Primary>
        <Secondary onClick={() => onChoose('now')}>Return to now</Secondary>
        <Secondary onClick={() => onChoose('cancel')}>Cancel</Secondary>
      </div>
    </Dialog>
  );
}
