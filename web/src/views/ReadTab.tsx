import type { ExplainResult, Hit, ReadStop } from '../model/engine.generated';
import { count, counted } from '../model/words';
import { Command, Pick } from './Facts';

interface Props {
  read: ExplainResult | null;
  onSelect(selection: string | null): void;
  onType(command: string): void;
}

/** Where the last explained lookup went, and what it cost. */
export function ReadTab({ read, onSelect, onType }: Props) {
  if (!read) {
    return (
      <>
        <p>No lookup has been explained yet.</p>
        <div className="commands">
          <Command line="explain get apple" onType={onType} />
        </div>
      </>
    );
  }
  return (
    <>
      <h2>
        {read.lookup} <code>{read.key}</code> <small>{read.found ? 'found' : 'not found'}</small>
      </h2>
      {read.value !== null && (
        <p>
          <code className="value">{read.value}</code>
        </p>
      )}
      <ol className="stops">
        {read.stops.map((stop, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stop has no name but its position, and stops never move
          <li key={index} className={isHit(stop) ? 'hit' : ''}>
            <Stop stop={stop} onSelect={onSelect} />
          </li>
        ))}
      </ol>
      <p className="dim">
        {counted(read.comparisons, 'key comparison')}, {counted(read.blocksRead, 'block')} read,{' '}
        {count(read.blocksCached)} from the cache; passed over:{' '}
        {counted(read.skippedByRange, 'table')} by key range, {count(read.skippedByFilter)} by
        filter{read.skippedByPrefix > 0 && `, ${count(read.skippedByPrefix)} by prefix index`}.
      </p>
    </>
  );
}

function isHit(stop: ReadStop): boolean {
  return (stop.stop === 'memtable' || stop.stop === 'table') && stop.hit !== null;
}

function Stop({ stop, onSelect }: { stop: ReadStop; onSelect: Props['onSelect'] }) {
  switch (stop.stop) {
    case 'memtable':
      return (
        <>
          <Pick to={`memtable:${stop.memtable}`} onSelect={onSelect}>
            memtable {stop.memtable}
          </Pick>{' '}
          {verdict(stop.hit)} <span className="dim">{counted(stop.comparisons, 'comparison')}</span>
        </>
      );
    case 'outOfRange':
      return (
        <span className="dim">
          L{stop.level}: {counted(stop.tables, 'table')} passed over, the key is outside
        </span>
      );
    case 'filtered':
      return (
        <>
          L{stop.level}{' '}
          <Pick to={`table:${stop.table}`} onSelect={onSelect}>
            table {stop.table}
          </Pick>{' '}
          <span className="dim">the filter says no: no block read</span>
        </>
      );
    case 'noPrefix':
      return (
        <>
          L{stop.level}{' '}
          <Pick to={`table:${stop.table}`} onSelect={onSelect}>
            table {stop.table}
          </Pick>{' '}
          <span className="dim">the prefix index says no: no block read</span>
        </>
      );
    case 'table': {
      const cached = stop.blocks.filter((block) => block.cached).length;
      const wrong = stop.filter && stop.hit === null ? ', the filter was wrong' : '';
      return (
        <>
          L{stop.level}{' '}
          <Pick to={`table:${stop.table}`} onSelect={onSelect}>
            table {stop.table}
          </Pick>{' '}
          {verdict(stop.hit)}
          {wrong}{' '}
          <span className="dim">
            {stop.prefixIndex !== 'none' && `${stop.prefixIndex} prefix index, `}
            {counted(stop.blocks.length, 'block')} ({cached} cached),{' '}
            {counted(stop.comparisons, 'comparison')}
          </span>
        </>
      );
    }
  }
}

function verdict(hit: Hit | null): string {
  if (!hit) return 'has nothing';
  return hit.entry === 'put'
    ? `has it: put, sequence ${hit.sequence}`
    : `has a tombstone ×, sequence ${hit.sequence}`;
}
