import type { BranchState } from '../../engine/protocol';
import { count } from '../../model/words';
import { useCommands } from '../shared/contexts';

interface Props {
  branches: readonly BranchState[];
  branch: number;
  disabled: boolean;
}

/** Which line of history is worked on; only there when there are several. */
export function BranchMenu({ branches, branch, disabled }: Props) {
  const { type } = useCommands();
  if (branches.length < 2) return null;
  return (
    <label className="branch-menu">
      <span className="dim">branch</span>{' '}
      <select
        value={branch}
        disabled={disabled}
        title="Types “branch NAME”. Forks are in memory: they are not saved."
        onChange={(event) => {
          const chosen = branches.find(({ id }) => id === Number(event.target.value));
          if (chosen) type(branchCommand(chosen.name));
        }}
      >
        {branches.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
            {each.forkedAt === null ? '' : `, step ${count(each.forkedAt)}`}
            {each.storage === 'memory' && each.parent !== null ? ', not saved' : ''}
          </option>
        ))}
      </select>
    </label>
  );
}

function branchCommand(name: string): string {
  return `branch ${name.includes(' ') ? `"${name}"` : name}`;
}
