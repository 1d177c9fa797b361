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
      <span className="dim roomy">branch</span>{' '}
      <select
        value={branch}
        disabled={disabled}
        title="Types “branch NAME”. Forks are in memory: they are not saved."
        onChange={(event) => {
          const chosen = branches.find(({ id }) => id === Number(event.target.value));
          if (chosen) type(branchCommand(chosen.name));
        }}
      >
        {branches.filter(isKept).map(optionOf)}
        <optgroup label="in memory, not saved">
          {branches.filter((each) => !isKept(each)).map(optionOf)}
        </optgroup>
      </select>
    </label>
  );
}

/** A database without storage says so of itself; forks are in memory in any case. */
function isKept({ storage, parent }: BranchState): boolean {
  return storage !== 'memory' || parent === null;
}

function optionOf({ id, name, forkedAt }: BranchState) {
  return (
    <option key={id} value={id}>
      {name}
      {forkedAt === null ? '' : `, step ${count(forkedAt)}`}
    </option>
  );
}

function branchCommand(name: string): string {
  return `branch ${name.includes(' ') ? `"${name}"` : name}`;
}
