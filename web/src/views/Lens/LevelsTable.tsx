import { count, size } from '../../model/words';
import { TextLink } from '../shared/buttons';
import { Columns } from '../shared/Columns';
import type { BlobLine, Levels, LogLine, TableLine } from './scene/answers';
import { moment, ofTarget, percent, shortKey, tombstoneShare } from './scene/words';

interface Props {
  answer: Levels;
  /** Whether it is a step before the last one: absent files were deleted since. */
  isPast: boolean;
  onSelect(id: string): void;
}

/** The levels as tables of text, newest data first. */
export function LevelsTable({ answer, isPast, onSelect }: Props) {
  const { levels, logs, blobFiles } = answer;
  const filled = levels.filter(({ tables }) => tables.length > 0);
  return (
    <section
      className="lens-table grows"
      aria-label="Levels as tables"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {logs.length > 0 && <LogTable logs={logs} onSelect={onSelect} />}
      {filled.map(({ level, bytes, targetBytes, noTarget, tables }) => (
        <table className="chart-table" key={level}>
          <caption>
            L{level}{' '}
            <span className="dim">
              {targetBytes === null ? `${size(bytes)}; ${noTarget}` : ofTarget(bytes, targetBytes)}
            </span>
          </caption>
          <Columns
            names={['table', 'first key', 'last key', 'size', 'entries', 'tombstones', 'made']}
          />
          <tbody>
            {tables.map((table) => (
              <TableRow key={table.number} {...{ table, isPast, onSelect }} />
            ))}
          </tbody>
        </table>
      ))}
      {blobFiles.length > 0 && <BlobTable blobs={blobFiles} {...{ isPast, onSelect }} />}
      {filled.length + logs.length + blobFiles.length === 0 && <p>No table at this step.</p>}
    </section>
  );
}

function LogTable({ logs, onSelect }: Pick<Props, 'onSelect'> & { logs: readonly LogLine[] }) {
  return (
    <table className="chart-table">
      <caption>Logs</caption>
      <Columns names={['file', 'entries', 'deletes', 'size', 'end']} />
      <tbody>
        {logs.map((log) => (
          <tr key={log.file}>
            <th scope="row">
              <TextLink onClick={() => onSelect(`log:${log.file}`)}>{log.file}</TextLink>
              <State file={log} isPast={false} />
            </th>
            <td>{count(log.entries)}</td>
            <td>{count(log.deletes)}</td>
            <td>{size(log.bytes)}</td>
            <td>it {log.end}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type BlobTableProps = Omit<Props, 'answer'> & { blobs: readonly BlobLine[] };

function BlobTable({ blobs, isPast, onSelect }: BlobTableProps) {
  return (
    <table className="chart-table">
      <caption>Blob files</caption>
      <Columns names={['file', 'values', 'size', 'garbage']} />
      <tbody>
        {blobs.map((blob) => (
          <tr key={blob.number}>
            <th scope="row">
              <TextLink onClick={() => onSelect(`blob:${blob.number}`)}>{blob.file}</TextLink>
              <State file={blob} isPast={isPast} />
            </th>
            <td>{count(blob.count)}</td>
            <td>{size(blob.bytes)}</td>
            <td>
              {size(blob.garbageBytes)}, {percent(blob.garbageBytes / (blob.totalBytes || 1))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface StateProps {
  file: { isMissing?: boolean; isDamaged: boolean };
  isPast: boolean;
}

/** A file's damage, after its name. */
function State({ file: { isMissing, isDamaged }, isPast }: StateProps) {
  if (isMissing && isPast) return <span className="dim"> deleted since</span>;
  const words = [isMissing ? 'missing' : '', isDamaged ? 'damaged' : ''].filter(Boolean);
  if (words.length === 0) return null;
  return <span className="problem"> ▲ {words.join(', ')}</span>;
}

function TableRow({ table, isPast, onSelect }: Omit<Props, 'answer'> & { table: TableLine }) {
  const share = tombstoneShare(table);
  const { deletions, entries, createdSeconds, isVirtual } = table;
  return (
    <tr>
      <th scope="row">
        <TextLink onClick={() => onSelect(`table:${table.number}`)}>{table.number}</TextLink>
        {table.isNew && ' new'}
        <State file={table} isPast={isPast} />
      </th>
      <td className="mono">{shortKey(table.smallest, 28)}</td>
      <td className="mono">{shortKey(table.largest, 28)}</td>
      <td>{size(table.bytes)}</td>
      <td>{entries === null ? '–' : `${isVirtual ? 'about ' : ''}${count(entries)}`}</td>
      <td>
        {deletions === null ? '–' : count(deletions)}
        {share !== null && share > 0 && `, ${percent(share)}`}
      </td>
      <td>{createdSeconds ? moment(createdSeconds * 1e6).slice(0, 19) : '–'}</td>
    </tr>
  );
}
