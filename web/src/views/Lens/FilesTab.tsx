import './Sheets.css';

import { count, counted, size } from '../../model/words';
import { MoreLines, useFirst } from './MoreLines';
import type { FileLine } from './scene/answers';

interface Props {
  files: readonly FileLine[];
  /** The manifest that counts. */
  manifest: string;
  /** Shows the bytes of a file. */
  onBytes(file: string): void;
}

const KINDS: Readonly<Record<FileLine['kind'], string>> = {
  table: 'table',
  log: 'write-ahead log',
  manifest: 'manifest',
  options: 'options',
  blob: 'blob file',
  info_log: 'LOG',
  marker: 'marker',
  other: 'other',
};

/** Every file of the directory, and whether the database would read it. */
export function FilesTab({ files, manifest, onBytes }: Props) {
  const idle = files.filter(({ counts }) => !counts);
  const idleBytes = idle.reduce((sum, { bytes }) => sum + bytes, 0);
  const most = files.reduce((longest, { bytes }) => Math.max(longest, bytes), 1);
  const first = useFirst(files);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="lens-sheet" aria-label="Files" tabIndex={0}>
      <p className="lens-verdict">
        {counted(files.length, 'file')}; <code>{manifest}</code> tells which tables count.{' '}
        {idle.length > 0 &&
          `${counted(idle.length, 'file')} of ${size(idleBytes)} ${idle.length === 1 ? 'does' : 'do'} not count, which is normal in a copy of a running database.`}
      </p>
      <table className="chart-table lens-files">
        <caption className="visually-hidden">Files of the directory</caption>
        <thead>
          <tr>
            <th scope="col">file</th>
            <th scope="col">kind</th>
            <th scope="col">size</th>
            <th scope="col">
              <span className="visually-hidden">size to scale</span>
            </th>
            <th scope="col">counts</th>
            <th scope="col">why</th>
          </tr>
        </thead>
        <tbody>
          {first.lines.map(({ name, bytes, kind, counts, why }) => (
            <tr key={name} className={counts ? '' : 'is-idle'}>
              <th scope="row">
                <button type="button" className="link" onClick={() => onBytes(name)}>
                  <code>{name}</code>
                </button>
              </th>
              <td>{KINDS[kind]}</td>
              <td className="number" title={`${count(bytes)} B`}>
                {size(bytes)}
              </td>
              <td>
                <span className="lens-bar" aria-hidden="true">
                  <i style={{ width: `${(100 * bytes) / most}%` }} />
                </span>
              </td>
              <td>{counts ? '✓ yes' : '– no'}</td>
              <td>{why}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <MoreLines first={first} nouns="files" />
    </section>
  );
}
