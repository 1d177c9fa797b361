import type { Selection } from '../../model/selection';
import { Commands } from '../shared/Facts';

/** The breakpoint on the selected object. */
export function BreakOn({ selection }: { selection: Selection | null }) {
  if (!selection || !['table', 'wal', 'level'].includes(selection.kind)) return null;
  return <Commands lines={[`break on ${selection.kind} ${selection.number}`]} />;
}
