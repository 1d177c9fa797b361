import '../Read/Read.css';
import './Sheets.css';

import { count, counted, hex, size } from '../../model/words';
import { TextLink } from '../shared/buttons';
import { Cautions, ProblemLines } from './ProblemLines';
import { RowView } from './RowView';
import type { FileLine, Lookup, LookupStop } from './scene/answers';

interface Props {
  lookup: Lookup;
  files: readonly FileLine[];
  onTable(number: number): void;
}

/** The sign and the word of each outcome, and what it is like. */
const OUTCOMES: Readonly<Record<LookupStop['outcome'], readonly [string, string, string]>> = {
  skipped: ['–', 'not read', 'outside'],
  nothing: ['·', 'nothing', 'miss'],
  found: ['✓', 'found', 'found'],
  deleted: ['×', 'deleted', 'deleted'],
  rangeDeleted: ['×', 'range deleted', 'deleted'],
  operand: ['+', 'merge operand', 'found'],
  failed: ['▲', 'failed', 'failed'],
};

/** A lookup: the answer, then every place in search order, with its reads to scale. */
export function LookupResult({ lookup, files, onTable }: Props) {
  const { key, row, outcome, answer, stops, readBytes, problems, cautions } = lookup;
  const reads = stops.reduce((sum, stop) => sum + stop.reads.length, 0);
  const asked = stops.filter((stop) => stop.outcome !== 'skipped').length;
  const lengths = new Map(files.map(({ name, bytes }) => [name, bytes]));
  const longest = Math.max(
    1,
    ...stops.flatMap(({ reads: own }) => own.map(([file]) => lengths.get(file) ?? 0)),
  );
  return (
    <div>
      <p className="lens-verdict" role="status">
        <code>{key.text === '' ? '""' : key.text}</code>{' '}
        {outcome !== 'value' && <strong>{answer}</strong>} {row && <RowView row={row} />}
        <span className="dim lens-cost">
          {counted(asked, 'place')} asked, {counted(reads, 'read')} of files, {size(readBytes)}
        </span>
      </p>
      <Cautions sentences={cautions} />
      <ProblemLines problems={problems} />
      <ol className="stops">
        {stops.map((stop, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places have no name but their position
          <li key={index} className={OUTCOMES[stop.outcome][2]}>
            <StopHead {...{ stop, onTable }} />
            {stop.reads.length > 0 && <Reads stop={stop} lengths={lengths} longest={longest} />}
          </li>
        ))}
      </ol>
    </div>
  );
}

function StopHead({ stop, onTable }: Pick<Props, 'onTable'> & { stop: LookupStop }) {
  const { place, table, outcome, sentence, reads } = stop;
  const [sign, word] = OUTCOMES[outcome];
  const bytes = reads.reduce((sum, [, , each]) => sum + each, 0);
  return (
    <p>
      {table === null ? (
        <strong>{place}</strong>
      ) : (
        <TextLink onClick={() => onTable(table)}>{place}</TextLink>
      )}{' '}
      <span className="lens-outcome one-line">
        <span aria-hidden="true">{sign}</span> {word}
      </span>{' '}
      {sentence}
      {reads.length > 0 && (
        <span className="dim">
          {' '}
          {counted(reads.length, 'read')}, {size(bytes)}
        </span>
      )}
    </p>
  );
}

interface ReadsProps {
  stop: LookupStop;
  lengths: ReadonlyMap<string, number>;
  /** Length of the longest file that was read: all bars are to one scale. */
  longest: number;
}

/** The files that were read, to scale, and where. */
function Reads({ stop, lengths, longest }: ReadsProps) {
  const files = [...new Set(stop.reads.map(([file]) => file))];
  return files.map((file) => {
    const reads = stop.reads.filter(([name]) => name === file);
    const length = lengths.get(file) ?? Math.max(...reads.map(([, at, bytes]) => at + bytes));
    return (
      <div className="lens-read-file" key={file}>
        <code>{file}</code>
        <span className="lens-read-scale">
          <span className="lens-read-bar" style={{ width: `${(100 * length) / longest}%` }}>
            {reads.map(([, offset, bytes], index) => (
              <i
                // biome-ignore lint/suspicious/noArrayIndexKey: reads have no name but their position
                key={index}
                title={`read ${index + 1}: ${counted(bytes, 'byte')} at ${count(offset)}`}
                style={{
                  left: `${(100 * offset) / Math.max(length, 1)}%`,
                  width: `max(${(100 * bytes) / Math.max(length, 1)}%, 3px)`,
                }}
              />
            ))}
          </span>
        </span>
        <details>
          <summary>
            {counted(reads.length, 'read')} of {size(length)}
          </summary>
          <ol>
            {reads.map(([, offset, bytes], index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: reads have no name but their position
              <li key={index}>
                {counted(bytes, 'byte')} at offset {count(offset)} <code>{hex(offset)}</code>
              </li>
            ))}
          </ol>
        </details>
      </div>
    );
  });
}
