import type {
  BlockStop,
  EntryStop,
  FilterAnswer,
  ReadStop,
  Search,
  TableVerdict,
} from '../../model/engine.generated';
import { keyText } from '../../model/keys';
import { blockCaption, filterCaption, searchCaption } from '../../model/readStops';
import { count } from '../../model/words';
import { Columns } from '../shared/Columns';

/** Everything that one stop of a lookup examined, as tables. */
export function ReadDetails({ stop }: { stop: ReadStop }) {
  if (stop.stop === 'filtered') return <FilterTable filter={stop.filter} verdict="absent" />;
  if (stop.stop !== 'table') return null;
  return (
    <>
      {stop.filter && <FilterTable filter={stop.filter} verdict={stop.verdict} />}
      {stop.searches.map((search, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: searches have no name but their position
        <SearchTable key={index} search={search} />
      ))}
      {stop.blocks.map((block) => (
        <BlockTables key={block.offset} block={block} />
      ))}
    </>
  );
}

function FilterTable({ filter, verdict }: { filter: FilterAnswer; verdict: TableVerdict }) {
  return (
    <table className="chart-table">
      <caption>{filterCaption(filter, verdict)}</caption>
      <Columns names={['probe', 'bit', 'in its byte', 'set']} />
      <tbody>
        {filter.asked.map(({ bit, byte, set }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: probes have no name but their position
          <tr key={index}>
            <th scope="row">{index + 1}</th>
            <td>{count(bit)}</td>
            <td>
              <code>{byte.toString(2).padStart(8, '0')}</code>, place {bit % 8}
            </td>
            <td>{set ? 'yes' : 'no'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A binary search, comparison by comparison. */
export function SearchTable({ search }: { search: Search }) {
  return (
    <table className="chart-table">
      <caption>{searchCaption(search)}</caption>
      <Columns names={['low', 'middle', 'high', 'key', 'is before']} />
      <tbody>
        {search.turns.map((turn, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: comparisons have no name but their position
          <tr key={index}>
            <td>{turn.low + 1}</td>
            <th scope="row">{turn.middle + 1}</th>
            <td>{turn.high}</td>
            <td>
              <code>{keyText(turn.key)}</code>
            </td>
            <td>
              {turn.before ? 'yes' : 'no'}
              {turn.again && ', asked again'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function BlockTables({ block }: { block: BlockStop }) {
  return (
    <>
      {block.restarts && <SearchTable search={block.restarts} />}
      <WalkedTable
        entries={block.entries}
        caption={`${blockCaption(block)}: entries walked over`}
      />
    </>
  );
}

/** Entries that a search scanned, one after the other. */
export function WalkedTable(props: { entries: readonly EntryStop[]; caption?: string }) {
  const { entries, caption = 'Entries walked over' } = props;
  return (
    <table className="chart-table">
      <caption>{caption}</caption>
      <Columns names={['offset', 'key', 'shares', 'sequence', 'is']} />
      <tbody>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a search may walk over an entry twice
          <tr key={index}>
            <td>{count(entry.offset)}</td>
            <th scope="row">
              <code>{keyText(entry.key)}</code>
            </th>
            <td>{entry.shared} B</td>
            <td>{count(entry.sequence)}</td>
            <td>{entry.order}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
