import type { Amplification } from '../../model/engine.generated';
import { capital } from '../../model/labs';
import { ratio } from '../../model/words';
import { DataTable } from '../shared/DataTable';
import { Commands, Facts } from '../shared/Facts';
import { useAnswer } from '../shared/useAnswer';

/** Amplification with its terms, and the counts since the database was opened: what `stats` prints. */
export function StatsTab() {
  const answer = useAnswer({ ask: 'stats' });
  if (answer.state === 'failed') return <p className="problem">{answer.message}</p>;
  if (answer.state !== 'ready') return <p className="dim">Counting …</p>;
  const { amplification, rows } = answer.result;
  return (
    <>
      <h2>Since opening</h2>
      <DataTable
        className="amplification"
        caption="Amplification"
        rows={amplification}
        columns={[
          ['', ({ name }) => name, 'head'],
          ['', (row) => <span className="figure">{ratio(row.ratio)}</span>],
          ['', Terms],
        ]}
      />
      <Facts rows={rows.map(({ name, text }) => [capital(name), text] as const)} />
      <Commands lines={['stats', 'check']} />
    </>
  );
}

function Terms({ formula, terms }: Amplification) {
  return (
    <>
      {formula}
      <br />
      <span className="dim">{terms}</span>
    </>
  );
}
