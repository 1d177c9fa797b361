import './Sheets.css';

import { useState } from 'react';
import type { Checked, Lens, LensWork, StoppedCheck } from '../../lens/lens';
import { messageOf } from '../../model/failures';
import { count, counted, size } from '../../model/words';
import type { ForeignFile } from '../../share/foreign';
import { Action, Primary, Secondary } from '../shared/buttons';
import { FailureLine } from '../shared/FailureLine';
import { useDirectory } from './asking';
import { type OnBytes, ProblemLines } from './ProblemLines';
import { SaveOutcome, useSaving } from './Saving';
import type { FamilyLine, Problem } from './scene/answers';

interface Props {
  lens: Lens;
  family: FamilyLine;
  work: LensWork | null;
  problems: readonly Problem[];
  /** The last check; `null`: none was made. */
  found: Checked | null;
  onFound(found: Checked): void;
  /** Shows the bytes of a file, where it is there. */
  onBytes?: OnBytes | undefined;
  /** Opens a log of entries as a branch of the playground. */
  onBranch?: ((files: readonly ForeignFile[]) => void) | undefined;
}

/** Checks; returns why one failed. */
function useCheck({ lens, onFound }: Pick<Props, 'lens' | 'onFound'>) {
  const [failure, setFailure] = useState<string | null>(null);
  const check = async (deep: boolean) => {
    setFailure(null);
    try {
      onFound(await lens.check(deep));
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return { failure, check };
}

/** Damaged, missing or remarkable parts; checks, and a copy of what can be read. */
export function ProblemsTab(props: Props) {
  const { lens, family, work, problems, found, onBranch } = props;
  const { hasFamilies } = useDirectory();
  const { failure, check } = useCheck(props);
  const saving = useSaving(lens, family, onBranch);
  const begin = (deep: boolean) => {
    saving.clear();
    void check(deep);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="lens-sheet scrolls" aria-label="Problems" tabIndex={0}>
      <div className="in-row wraps">
        <Primary
          disabled={work !== null}
          title="Compares the checksum of every block of every file"
          onClick={() => begin(false)}
        >
          Check all checksums
        </Primary>
        <Secondary
          disabled={work !== null}
          title="Decompresses and decodes every block, too, and compares the order of keys"
          onClick={() => begin(true)}
        >
          Check every entry
        </Secondary>
        <Secondary
          disabled={work !== null}
          title={`The live entries${hasFamilies ? ' of the family' : ''} as one table that RocksDB ingests`}
          onClick={() => void saving.save('table')}
        >
          Save {hasFamilies ? `“${family.name}”` : 'the entries'} as a table (.sst)
        </Secondary>
        {onBranch &&
          (family.comparator === BYTEWISE ? (
            <Secondary disabled={work !== null} onClick={() => void saving.save('log')}>
              Open the entries in the playground
            </Secondary>
          ) : (
            <span className="dim">
              The playground does not open the entries: it reads keys in bytewise order only.
            </span>
          ))}
        {work && <WorkBar work={work} onStop={lens.stop} />}
      </div>
      <FailureLine text={failure} />
      <SaveOutcome saving={saving} isBusy={work !== null} />
      <p className="lens-verdict" role="status">
        {verdict(problems, found)}
      </p>
      <ProblemLines problems={problems} onBytes={props.onBytes} />
    </section>
  );
}

function verdict(problems: readonly Problem[], found: Props['found']): string {
  const bad = problems.filter(({ severity }) => severity === 'error').length;
  const others = problems.length - bad;
  if (found === null) {
    return `${foundWords(bad, others, ' so far')}. A check compares every checksum.`;
  }
  if (found.stopped !== null) {
    return `${foundWords(bad, others, ' so far')}. ${stoppedWords(found.stopped)}`;
  }
  return `${foundWords(bad, others, '')}: ${found.extent}.`;
}

/** The coverage of a stopped check: tables and blob files; logs and manifest are read when a directory opens. */
function stoppedWords({ parts, left, next, done, total }: StoppedCheck): string {
  if (left === null || total === null) {
    return 'The check was stopped before the first table or blob file was checked.';
  }
  const checked = `${count(parts)} of ${count(parts + left)} tables and blob files were checked`;
  const bytes = `${size(done)} of ${size(total)}, the largest files first`;
  const more = left - next.length;
  const names = `${next.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
  return `The check was stopped: ${checked} (${bytes}). Not checked: ${names}.`;
}

/** The findings in words; `when` follows the verb. */
function foundWords(bad: number, others: number, when: string): string {
  const remarks = counted(others, 'remark');
  if (bad === 0) return `No damage was found${when}${others === 0 ? '' : `, but ${remarks}`}`;
  const what = others === 0 ? counted(bad, 'problem') : `${counted(bad, 'problem')} and ${remarks}`;
  return `${what} ${bad + others === 1 ? 'was' : 'were'} found${when}`;
}

/** The order of keys in the playground. */
const BYTEWISE = 'leveldb.BytewiseComparator';

const WORK_WORDS = { check: 'Checking', export: 'Reading' };

function WorkBar({ work, onStop }: { work: LensWork; onStop(): void }) {
  const { done, total } = work.progress;
  const words = work.what === 'check' ? size(done) : counted(done, 'entry');
  const all = total === null ? '' : ` of ${work.what === 'check' ? size(total) : count(total)}`;
  return (
    <div className="in-row" role="status">
      <label className="in-row">
        {WORK_WORDS[work.what]}: {words}
        {all}
        <progress {...(total === null ? {} : { value: done, max: Math.max(total, 1) })} />
      </label>
      <Action onClick={onStop}>Stop</Action>
    </div>
  );
}
