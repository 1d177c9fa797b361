import { count, size } from '../../model/words';
import type { BlobLine, Levels, LogLine, TableLine } from './scene/answers';
import { moment, noTarget, ofTarget, percent, shortKey, tombstoneShare } from './scene/words';

interface Picks {
  onSelect(id: string): void;
}

interface Props extends Picks {
  answer: Levels;
}

/** The levels as tables of text, newest data first. */
export function LevelsTable({ answer, onSelect }: Props) {
  const { levels, logs, blob_files, style } = answer;
  const filled = levels.filter(({ tables }) => tables.length > 0);
  return (
    <section
      className="lens-table"
      aria-label="Levels as tables"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {logs.length > 0 && <LogTable logs={logs} onSelect={onSelect} />}
      {filled.map(({ level, bytes, target_bytes, tables }) => (
        <table className="chart-table" key={level}>
          <caption>
            L{level}{' '}
            <span className="dim">
              {target_bytes === null
                ? `${size(bytes)}; target: ${noTarget(level, style)}`
                : ofTarget(bytes, target_bytes)}
            </span>
          </caption>
          <Head
            names={['table', 'first key', 'last key', 'size', 'entries', 'tombstones', 'made']}
          />
          <tbody>
            {tables.map((table) => (
              <TableRow key={table.number} table={table} onSelect={onSelect} />
            ))}
          </tbody>
        </table>
      ))}
      {blob_files.length > 0 && <BlobTable blobs={blob_files} onSelect={onSelect} />}
      {filled.length + logs.length + blob_files.length === 0 && <p>No table at this step.</p>}
    </section>
  );
}

function LogTable({ logs, onSelect }: Picks & { logs: readonly LogLine[] }) {
  return (
    <table className="chart-table">
      <caption>Logs</caption>
      <Head names={['file', 'entries', 'deletes', 'size', 'end']} />
      <tbody>
        {logs.map((log) => (
          <tr key={log.file}>
            <th scope="row">
              <Pick id={`log:${log.file}`} onSelect={onSelect}>
                {log.file}
              </Pick>
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

function BlobTable({ blobs, onSelect }: Picks & { blobs: readonly BlobLine[] }) {
  return (
    <table className="chart-table">
      <caption>Blob files</caption>
      <Head names={['file', 'values', 'size', 'garbage']} />
      <tbody>
        {blobs.map((blob) => (
          <tr key={blob.number}>
            <th scope="row">
              <Pick id={`blob:${blob.number}`} onSelect={onSelect}>
                {blob.file}
              </Pick>
            </th>
            <td>{count(blob.count)}</td>
            <td>{size(blob.bytes)}</td>
            <td>
              {size(blob.garbage_bytes)}, {percent(blob.garbage_bytes / (blob.total_bytes || 1))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Head({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th scope="col" key={name}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Pick(props: { id: string; onSelect(id: string): void; children: string | number }) {
  const { id, onSelect, children } = props;
  return (
    <button type="button" className="link" onClick={() => onSelect(id)}>
      {children}
    </button>
  );
}

function TableRow({ table, onSelect }: { table: TableLine; onSelect(id: string): void }) {
  const share = tombstoneShare(table);
  const { deletions, entries, created_seconds } = table;
  return (
    <tr>
      <th scope="row">
        <Pick id={`table:${table.number}`} onSelect={onSelect}>
          {table.number}
        </Pick>
        {table.is_new && ' new'}
        {table.is_missing && <span className="problem"> missing</span>}
        {table.is_damaged && <span className="problem"> damaged</span>}
      </th>
      <td className="mono">{shortKey(table.smallest, 28)}</td>
      <td className="mono">{shortKey(table.largest, 28)}</td>
      <td>{size(table.bytes)}</td>
      <td>{entries === null ? '–' : count(entries)}</td>
      <td>
        {deletions === null ? '–' : count(deletions)}
        {share !== null && share > 0 && `, ${percent(share)}`}
      </td>
      <td>{created_seconds ? moment(created_seconds * 1e6).slice(0, 19) : '–'}</td>
    </tr>
  );
}
