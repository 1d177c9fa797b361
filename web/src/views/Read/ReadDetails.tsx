import type {
  BlockStop,
  FilterAnswer,
  ReadStop,
  Search,
  TableVerdict,
} from '../../model/engine.generated';
import { keyText } from '../../model/keys';
import { blockCaption, filterCaption, searchCaption } from '../../model/readStops';
import { count } from '../../model/words';
import { DataTable } from '../shared/DataTable';

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
    <DataTable
      caption={filterCaption(filter, verdict)}
      rows={filter.asked}
      columns={[
        ['probe', (_, index) => index + 1, 'head'],
        ['bit', ({ bit }) => count(bit)],
        ['in its byte', inItsByte],
        ['set', ({ set }) => (set ? 'yes' : 'no')],
      ]}
    />
  );
}

function inItsByte({ bit, byte }: FilterAnswer['asked'][number]) {
  return (
    <>
      <code>{byte.toString(2).padStart(8, '0')}</code>, place {bit % 8}
    </>
  );
}

/** A binary search, comparison by comparison. */
function SearchTable({ search }: { search: Search }) {
  return (
    <DataTable
      caption={searchCaption(search)}
      rows={search.turns}
      columns={[
        ['low', ({ low }) => low + 1],
        ['middle', ({ middle }) => middle + 1, 'head'],
        ['high', ({ high }) => high],
        ['key', ({ key }) => <code>{keyText(key)}</code>],
        [
          'is before',
          (turn) => `${turn.before ? 'yes' : 'no'}${turn.again ? ', asked again' : ''}`,
        ],
      ]}
    />
  );
}

function BlockTables({ block }: { block: BlockStop }) {
  return (
    <>
      {block.restarts && <SearchTable search={block.restarts} />}
      <DataTable
        caption={`${blockCaption(block)}: entries walked over`}
        rows={block.entries}
        columns={[
          ['offset', ({ offset }) => count(offset)],
          ['key', ({ key }) => <code>{keyText(key)}</code>, 'head'],
          ['shares', ({ shared }) => `${shared} B`],
          ['sequence', ({ sequence }) => count(sequence)],
          ['is', ({ order }) => order],
        ]}
      />
    </>
  );
}
