import './Sheets.css';

import { useState } from 'react';
import { LensError } from '../../lens/client';
import type { Lens } from '../../lens/lens';
import { count, counted, size } from '../../model/words';
import { saveFile } from '../shared/saveFile';
import { failureText } from '../shared/useAnswer';
import type { Work } from './LensPage';
import { ProblemLines } from './ProblemLines';
import type { FamilyLine, Problem } from './scene/answers';

interface Props {
  lens: Lens;
  family: FamilyLine;
  work: Work | null;
  problems: readonly Problem[];
  /** The last check; `null`: none was made. */
  found: { deep: boolean } | null;
  onFound(found: { deep: boolean; problems: readonly Problem[] }): void;
}

/** What is damaged, missing or remarkable; checks, and a copy of what can be read. */
export function ProblemsTab({ lens, family, work, problems, found, onFound }: Props) {
  const [failure, setFailure] = useState<string | null>(null);
  const [saved, setSaved] = useState<string | null>(null);
  const attempt = async (run: () => Promise<void>) => {
    setFailure(null);
    setSaved(null);
    try {
      await run();
    } catch (error) {
      if (error instanceof LensError && error.kind === 'stopped') return;
      setFailure(failureText(error));
    }
  };
  const check = (deep: boolean) =>
    attempt(async () => onFound({ deep, problems: await lens.ask({ ask: 'check', deep }) }));
  const copy = () =>
    attempt(async () => {
      const name = `${family.name.replace(/[^\p{L}\p{N}_-]/gu, '_')}.sst`;
      const table = await lens.exportTable(family.id);
      saveFile(name, table);
      setSaved(`${name}, ${size(table.size)}: RocksDB ingests it with IngestExternalFile.`);
    });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="lens-sheet" aria-label="Problems" tabIndex={0}>
      <div className="lens-sheet-head">
        <button
          type="button"
          className="primary"
          disabled={work !== null}
          title="Compares the checksum of every block of every file"
          onClick={() => void check(false)}
        >
          Check all checksums
        </button>
        <button
          type="button"
          className="secondary"
          disabled={work !== null}
          title="Decompresses and decodes every block, too, and compares the order of keys"
          onClick={() => void check(true)}
        >
          Check every entry
        </button>
        <button
          type="button"
          className="secondary"
          disabled={work !== null}
          title="The live entries of the family as one table that RocksDB ingests"
          onClick={() => void copy()}
        >
          Save “{family.name}” as a table (.sst)
        </button>
        {work && <WorkBar work={work} onStop={lens.stop} />}
      </div>
      {failure !== null && (
        <p className="problem" role="alert">
          {failure}
        </p>
      )}
      {saved !== null && <p role="status">{saved}</p>}
      <p className="lens-verdict" role="status">
        {verdict(problems, found)}
      </p>
      <ProblemLines problems={problems} />
    </section>
  );
}

function verdict(problems: readonly Problem[], found: { deep: boolean } | null): string {
  const bad = problems.filter(({ severity }) => severity === 'error').length;
  const others = problems.length - bad;
  if (found === null) {
    return `${foundWords(bad, others, ' while opening')}; checksums have not been compared yet.`;
  }
  const how = found.deep
    ? 'every checksum was compared and every entry decoded'
    : 'every checksum was compared';
  return `${foundWords(bad, others, '')}: ${how}.`;
}

/** What was found in words; `when` follows the verb. */
function foundWords(bad: number, others: number, when: string): string {
  const remarks = counted(others, 'remark');
  if (bad === 0) return `No damage was found${when}${others === 0 ? '' : `, but ${remarks}`}`;
  const what = others === 0 ? counted(bad, 'problem') : `${counted(bad, 'problem')} and ${remarks}`;
  return `${what} ${bad + others === 1 ? 'was' : 'were'} found${when}`;
}

const WORK_WORDS = { check: 'Checking', export: 'Reading' };

function WorkBar({ work, onStop }: { work: Work; onStop(): void }) {
  const { done, total } = work.progress;
  const words = work.what === 'check' ? size(done) : counted(done, 'entry');
  const all = total === null ? '' : ` of ${work.what === 'check' ? size(total) : count(total)}`;
  return (
    <div className="lens-work" role="status">
      <label>
        {WORK_WORDS[work.what]}: {words}
        {all}
        <progress {...(total === null ? {} : { value: done, max: Math.max(total, 1) })} />
      </label>
      <button type="button" className="command" onClick={onStop}>
        Stop
      </button>
    </div>
  );
}
