import { useState } from 'react';
import { LensError } from '../../lens/client';
import type { Lens } from '../../lens/lens';
import type { ExportPolicy } from '../../lens/protocol';
import { BYTES_MAX } from '../../model/engine.generated';
import { size } from '../../model/words';
import { Action, Secondary } from '../shared/buttons';
import { saveFile } from '../shared/saveFile';
import { failureText } from '../shared/useAnswer';
import { useFamilies } from './families';
import type { FamilyLine } from './scene/answers';

/** A table that was not made: why, of which family, and what a person may allow. */
interface Refused {
  why: string;
  family: number;
  /** `null`: there is no way to make one. */
  next: ExportPolicy | null;
}

/** A table that was made: a sentence, and what it does not hold. */
interface Saved {
  words: string;
  losses: readonly string[];
  table?: File;
}

const WHOLE: ExportPolicy = { lossy: false, skipDamage: false };

/** The order of keys in which the playground reads tables. */
const BYTEWISE = 'leveldb.BytewiseComparator';

/** Saves the live entries of a family as a table, and tells what came of it. */
export function useSaving(lens: Lens, family: FamilyLine) {
  const hasFamilies = useFamilies();
  const [saved, setSaved] = useState<Saved | null>(null);
  const [refusal, setRefusal] = useState<Refused | null>(null);
  const clear = () => {
    setSaved(null);
    setRefusal(null);
  };
  const save = async (policy: ExportPolicy = WHOLE) => {
    clear();
    try {
      const of = hasFamilies ? family.name : 'entries';
      const name = `${of.replace(/[^\p{L}\p{N}_-]/gu, '_')}.sst`;
      const { table, losses } = await lens.exportTable(family.id, policy);
      saveFile(name, table);
      const words = `${name}, ${size(table.size)}: RocksDB ingests it with IngestExternalFile.`;
      setSaved({ words, losses, table: new File([table], name) });
    } catch (error) {
      if (error instanceof LensError && error.kind === 'stopped') {
        setSaved({ words: 'It was stopped: no table was saved.', losses: [] });
      } else {
        setRefusal({
          why: failureText(error),
          family: family.id,
          next: allowing(error, policy),
        });
      }
    }
  };
  return { saved, refusal: refusal?.family === family.id ? refusal : null, save, clear };
}

/** What a person has to allow so that the table is made; `null`: that would not help. */
function allowing(error: unknown, policy: ExportPolicy): ExportPolicy | null {
  const kind = error instanceof LensError ? error.kind : null;
  if (kind === 'lossy' && !policy.lossy) return { ...policy, lossy: true };
  const isDamage = kind === 'damaged' || kind === 'missing' || kind === 'not_read';
  return isDamage && !policy.skipDamage ? { ...policy, skipDamage: true } : null;
}

interface OutcomeProps {
  saving: ReturnType<typeof useSaving>;
  family: FamilyLine;
  isBusy: boolean;
  onTable: ((table: File) => void) | undefined;
}

/** What came of saving: the table and what it does not hold, or why there is none. */
export function SaveOutcome({ saving, family, isBusy, onTable }: OutcomeProps) {
  const { saved, refusal, save } = saving;
  return (
    <>
      {refusal && <Refusal refusal={refusal} isBusy={isBusy} onSave={save} />}
      {saved && (
        <div role="status" className="lens-saved">
          <p>
            {saved.words} <InPlayground table={saved.table} family={family} onTable={onTable} />
          </p>
          {saved.losses.length > 0 && (
            <>
              <p>It does not hold everything. Left out:</p>
              <ul>
                {saved.losses.map((loss) => (
                  <li key={loss}>{loss}</li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </>
  );
}

interface RefusalProps {
  refusal: Refused;
  isBusy: boolean;
  onSave(policy: ExportPolicy): void;
}

/** A table that would not hold everything is made only when a person allows it. */
function Refusal({ refusal: { why, next }, isBusy, onSave }: RefusalProps) {
  return (
    <div className="lens-refusal">
      <p role="alert">
        <strong>Nothing was saved.</strong> {why}
      </p>
      {next?.skipDamage && !next.lossy && (
        <p>
          A copy holds what can be read. Where a table, a block or a part of a log is lost, older
          values and deleted entries can come back in it.
        </p>
      )}
      {next && (
        <Secondary disabled={isBusy} onClick={() => onSave(next)}>
          {next.lossy ? 'Save the table with these losses' : 'Save what can be read'}
        </Secondary>
      )}
    </div>
  );
}

interface InPlaygroundProps {
  table: File | undefined;
  family: FamilyLine;
  onTable: ((table: File) => void) | undefined;
}

/** The way of a saved table into the playground, where its entries become a database. */
function InPlayground({ table, family, onTable }: InPlaygroundProps) {
  if (table === undefined || onTable === undefined) return null;
  if (family.comparator !== BYTEWISE) {
    return <>The playground does not open it: it reads keys in bytewise order only.</>;
  }
  if (table.size > BYTES_MAX) {
    return <>It is too large for the playground, which opens at most {size(BYTES_MAX)}.</>;
  }
  return <Action onClick={() => onTable(table)}>Open it in the playground</Action>;
}
