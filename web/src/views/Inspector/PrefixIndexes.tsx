import { blocksText, CELLS_MAX, formText, wordText } from '../../model/buckets';
import type { PrefixBucket, PrefixBuckets } from '../../model/engine.generated';
import { keyText } from '../../model/keys';
import { capital } from '../../model/labs';
import { count } from '../../model/words';
import { DataTable } from '../shared/DataTable';
import { Command } from '../shared/Facts';
import { KeyText } from '../shared/KeyText';
import { useAnswer } from '../shared/useAnswer';

/** Buckets that get a row; all of them are in the terminal. */
const ROWS_MAX = 12;

/** Both prefix indexes of a table, bucket by bucket; nothing for a table without one. */
export function PrefixIndexes({ table }: { table: number }) {
  const answer = useAnswer({ ask: 'buckets', table, limit: CELLS_MAX });
  if (answer.state === 'failed') return <p className="problem">{answer.message}</p>;
  if (answer.state !== 'ready' || answer.result.length === 0) return null;
  return (
    <section aria-label="Prefix indexes">
      {answer.result.map((form) => (
        <Form key={form.form} buckets={form} />
      ))}
      <Command line={`buckets ${table}`} />
    </section>
  );
}

function Form({ buckets }: { buckets: PrefixBuckets }) {
  const compact = buckets.form === 'compact';
  const used = buckets.rows.filter((row) => !row.free);
  return (
    <>
      <h3>{capital(buckets.form)} prefix index</h3>
      <p>{formText(buckets)}</p>
      <div className="bucket-strip wraps" aria-hidden="true">
        {buckets.rows.map((row) => (
          <i
            key={row.bucket}
            className={row.free ? 'free' : row.prefixes.length > 1 ? 'shared' : 'used'}
          />
        ))}
      </div>
      <DataTable
        rows={used.slice(0, ROWS_MAX)}
        columns={[
          [compact ? 'bucket' : 'slot', ({ bucket }) => count(bucket)],
          ['word', wordText, 'mono'],
          ['blocks', blocksText],
          [compact ? 'prefixes that lead here' : 'prefix stored', Prefixes],
        ]}
      />
    </>
  );
}

function Prefixes({ prefixes }: PrefixBucket) {
  return (
    <>
      {prefixes.slice(0, 4).map((prefix) => (
        <code key={keyText(prefix)}>
          <KeyText of={prefix} limit={16} />{' '}
        </code>
      ))}
      {prefixes.length > 4 && `… ${count(prefixes.length)} in all`}
    </>
  );
}
