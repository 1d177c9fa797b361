import { useState } from 'react';
import { LensError } from '../../lens/failure';
import type { Lens } from '../../lens/lens';
import type { ExportForm, ExportPolicy } from '../../lens/protocol';
import { BYTES_MAX } from '../../model/engine.generated';
import { messageOf } from '../../model/failures';
import { size } from '../../model/words';
import type { ForeignFile } from '../../share/foreign';
import { Primary, Secondary } from '../shared/buttons';
import { FailureLine } from '../shared/FailureLine';
import { saveFile } from '../shared/saveFile';
import { useDirectory } from './asking';
import type { FamilyLine } from './scene/answers';

/** A refused export: the reason, family and form, and the losses a person may allow. */
interface Refused {
  why: string;
  family: number;
  form: ExportForm;
  /** `null`: it cannot be made. */
  next: ExportPolicy | null;
}

/** The outcome: a sentence, and a table's losses. */
interface Saved {
  words: string;
  losses: readonly string[];
}

const WHOLE: ExportPolicy = { lossy: false, skipDamage: false };

const ENDINGS: Readonly<Record<ExportForm, string>> = { table: 'sst', log: 'db' };

/** Words for each kind of export. */
const WORDS = {
  table: {
    stopped: 'It was stopped: no table was saved.',
    refused: 'Nothing was saved.',
    lossy: 'Save the table with these losses',
    skipDamage: 'Save what can be read',
  },
  log: {
    stopped: 'It was stopped: nothing was opened.',
    refused: 'Nothing was opened.',
    lossy: 'Open the entries with these losses',
    skipDamage: 'Open what can be read',
  },
} as const satisfies Record<ExportForm, object>;

/** Saves the live entries of a family as a table, or gives them to the playground, and returns the outcome. */
export function useSaving(
  lens: Lens,
  family: FamilyLine,
  onBranch?: (files: readonly ForeignFile[]) => void,
) {
  const { hasFamilies } = useDirectory();
  const [saved, setSaved] = useState<Saved | null>(null);
  const [refusal, setRefusal] = useState<Refused | null>(null);
  const clear = () => {
    setSaved(null);
    setRefusal(null);
  };
  const save = async (form: ExportForm, policy: ExportPolicy = WHOLE) => {
    clear();
    try {
      const of = hasFamilies ? family.name : 'entries';
      const name = `${of.replace(/[^\p{L}\p{N}_-]/gu, '_')}.${ENDINGS[form]}`;
      const { table, losses } = await lens.exportTable(family.id, policy, form);
      if (form === 'table') {
        saveFile(name, table);
        const words = `${name}, ${size(table.size)}: RocksDB ingests it with IngestExternalFile.`;
        setSaved({ words, losses });
      } else if (table.size > BYTES_MAX) {
        const words = `The entries are too large for the playground, which opens at most ${size(BYTES_MAX)}.`;
        setSaved({ words, losses: [] });
      } else {
        onBranch?.([{ name, bytes: new Uint8Array(await table.arrayBuffer()) }]);
      }
    } catch (error) {
      if (error instanceof LensError && error.kind === 'stopped') {
        setSaved({ words: WORDS[form].stopped, losses: [] });
      } else {
        const next = allowing(error, policy);
        setRefusal({ why: messageOf(error), family: family.id, form, next });
      }
    }
  };
  return { saved, refusal: refusal?.family === family.id ? refusal : null, save, clear };
}

/** The losses to allow so that it is made; `null`: allowing losses does not help. */
function allowing(error: unknown, policy: ExportPolicy): ExportPolicy | null {
  const kind = error instanceof LensError ? error.kind : null;
  if (kind === 'lossy' && !policy.lossy) return { ...policy, lossy: true };
  const isDamage = kind === 'damaged' || kind === 'missing' || kind === 'not_read';
  return isDamage && !policy.skipDamage ? { ...policy, skipDamage: true } : null;
}

interface OutcomeProps {
  saving: ReturnType<typeof useSaving>;
  isBusy: boolean;
}

/** The outcome of saving: the table and its losses, or why there is none. */
export function SaveOutcome({ saving: { saved, refusal, save }, isBusy }: OutcomeProps) {
  return (
    <>
      {refusal && <Refusal refusal={refusal} isBusy={isBusy} onSave={save} />}
      {saved && (
        <div role="status" className="lens-saved">
          <p>{saved.words}</p>
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
  onSave(form: ExportForm, policy: ExportPolicy): void;
}

/** An incomplete export is made only when a person allows it. */
function Refusal({ refusal: { why, form, next }, isBusy, onSave }: RefusalProps) {
  const words = WORDS[form];
  return (
    <div className="note-box is-bad">
      <p role="alert">
        <strong>{words.refused}</strong> {why}
      </p>
      {next?.skipDamage && !next.lossy && (
        <p>
          A copy holds what can be read. Where a table, a block or a part of a log is lost, older
          values and deleted entries can come back in it.
        </p>
      )}
      {next && (
        <Secondary disabled={isBusy} onClick={() => onSave(form, next)}>
          {next.lossy ? words.lossy : words.skipDamage}
        </Secondary>
      )}
    </div>
  );
}

interface BranchProps {
  lens: Pick<Lens, 'files'>;
  /** Opens the files of a database as a branch of the playground. */
  onBranch(files: readonly ForeignFile[]): void;
}

/** A database of Levelscope has levels, a history and writes where it is a branch. */
export function AsBranch({ lens, onBranch }: BranchProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const open = async () => {
    try {
      onBranch(await lens.files());
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <div className="in-row wraps">
      <Primary onClick={() => void open()}>Open the database as a branch</Primary>
      <span className="dim">
        It is checked from end to end, and opens in memory beside your own database.
      </span>
      <FailureLine text={problem} />
    </div>
  );
}
