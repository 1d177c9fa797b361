import type { Amplification } from '../../model/engine.generated';
import { capital } from '../../model/labs';
import { ratio } from '../../model/words';
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
      <AmplificationTable rows={amplification} />
      <Facts rows={rows.map(({ name, text }) => [capital(name), text] as const)} />
      <Commands lines={['stats', 'check']} />
    </>
  );
}

function AmplificationTable({ rows }: { rows: readonly Amplification[] }) {
  return (
    <table className="amplification">
      <caption>Amplification</caption>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            <td className="figure">{ratio(row.ratio)}</td>
            <td>
              {row.formula}
              <br />
              <span className="dim">{row.terms}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
