import type { Stats } from '../../model/engine.generated';
import { count, counted, ratio, size } from '../../model/words';

import { Command, Facts } from '../shared/Facts';
import { useAnswer } from '../shared/useAnswer';

/** Amplification with its terms, and the counts since the database was opened. */
export function StatsTab() {
  const answer = useAnswer({ ask: 'stats' });
  if (answer.state === 'failed') return <p className="problem">{answer.message}</p>;
  if (answer.state !== 'ready') return <p className="dim">Counting …</p>;
  const stats = answer.result;
  return (
    <>
      <h2>Since opening</h2>
      <Amplification stats={stats} />
      <Facts
        rows={[
          [
            'Writes',
            `${counted(stats.puts, 'put')}, ${counted(stats.deletes, 'delete')}, ${size(stats.userBytes)}`,
          ],
          ['Log', `${size(stats.walBytes)} appended, ${counted(stats.walSyncs, 'sync')}`],
          ['Lookups', `${count(stats.gets)}, ${count(stats.getsFound)} found`],
          ['Flushes', `${count(stats.flushes)}, ${size(stats.flushBytes)} written`],
          [
            'Compactions',
            `${count(stats.compactions)} and ${counted(stats.trivialMoves, 'trivial move')}, ${size(stats.compactionReadBytes)} read, ${size(stats.compactionWriteBytes)} written`,
          ],
          [
            'Dropped',
            `${counted(stats.entriesShadowed, 'shadowed entry')}, ${counted(stats.tombstonesDropped, 'tombstone')}`,
          ],
          [
            'Stalls',
            `${count(stats.stalls)}, and ${counted(stats.slowdowns, 'slowdown')} before them`,
          ],
          ['Compaction debt', `about ${size(stats.compactionDebtBytes)}`],
          [
            'Cache',
            `${counted(stats.cacheHits, 'hit')}: ${size(stats.cacheHitBytes)} not read and decompressed again; ${count(stats.cacheMisses)} read from files`,
          ],
          ['Tables', `${size(stats.tableBytes)}, ${counted(stats.tableEntries, 'entry')}`],
          ['Sorted runs', count(stats.sortedRuns)],
        ]}
      />
      <div className="commands">
        <Command line="stats" />
        <Command line="check" />
      </div>
    </>
  );
}

function Amplification({ stats }: { stats: Stats }) {
  const rows = [
    {
      name: 'write',
      value: stats.writeAmplification,
      formula: '(log + flushes + compactions) ÷ user bytes',
      terms: `(${size(stats.walBytes)} + ${size(stats.flushBytes)} + ${size(stats.compactionWriteBytes)}) ÷ ${size(stats.userBytes)}`,
    },
    {
      name: 'read',
      value: stats.readAmplification,
      formula: 'tables searched ÷ lookups',
      terms: `${count(stats.tablesSearched)} ÷ ${count(stats.gets)}`,
    },
    {
      name: 'space (estimate)',
      value: stats.spaceAmplificationEstimate,
      formula: 'all tables ÷ estimated live data',
      terms: `${size(stats.tableBytes)} ÷ about ${size(stats.liveBytesEstimate)}`,
    },
  ];
  return (
    <table className="amplification">
      <caption>Amplification</caption>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            <td className="figure">{ratio(row.value)}</td>
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
