import type { Selection } from '../../model/selection';
import { Command } from '../shared/Facts';

interface Props {
  selection: Selection | null;
}

/** The breakpoint on the selected object. */
export function BreakOn({ selection }: Props) {
  if (!selection || !['table', 'wal', 'level'].includes(selection.kind)) return null;
  return (
    <div className="commands">
      <Command line={`break on ${selection.kind} ${selection.number}`} />
    </div>
  );
}
