import { wordOfName } from '../../model/commandWords';
import type { BranchState } from '../../model/engine.generated';
import { count } from '../../model/words';
import { useCommands } from '../shared/contexts';

interface Props {
  branches: readonly BranchState[];
  branch: number;
  disabled: boolean;
}

/** The menu of branches; shown only when there are several. */
export function BranchMenu({ branches, branch, disabled }: Props) {
  const { type } = useCommands();
  if (branches.length < 2) return null;
  // The session began with the first branch, and it stays.
  const waiting = branches.filter(({ id }) => id !== branch && id !== 0);
  return (
    <label className="branch-menu">
      <span className="dim roomy">branch</span>{' '}
      <select
        value={branch}
        disabled={disabled}
        title="Types “branch NAME”. Forks are in memory: they are not saved."
        onChange={(event) => {
          const [, drop, number] = /^(drop:)?(\d+)$/.exec(event.target.value) ?? [];
          const chosen = branches.find(({ id }) => id === Number(number));
          if (chosen) type(`branch ${drop ? '--drop ' : ''}${wordOfName(chosen.name)}`);
        }}
      >
        {branches.filter(isKept).map(optionOf)}
        <optgroup label="in memory, not saved">
          {branches.filter((each) => !isKept(each)).map(optionOf)}
        </optgroup>
        {waiting.length > 0 && (
          <optgroup label="drop, with its memory">
            {waiting.map(({ id, name }) => (
              <option key={id} value={`drop:${id}`}>
                drop {name}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </label>
  );
}

/** Whether the menu needs no note “in memory”: only forks do; the header shows if the database itself has no storage. */
function isKept({ memory, id }: BranchState): boolean {
  return !memory || id === 0;
}

function optionOf({ id, name, forkedAt }: BranchState) {
  return (
    <option key={id} value={id}>
      {name}
      {forkedAt === null ? '' : `, step ${count(forkedAt)}`}
    </option>
  );
}
