import './Files.css';

import { type ReactNode, useMemo, useState } from 'react';
import { count, counted, size } from '../../model/words';
import { TextLink } from '../shared/buttons';
import { type Column, DataTable } from '../shared/DataTable';
import { MoreLines, useFirst } from '../shared/MoreLines';
import { Name } from '../shared/Name';

/** A file in the list. */
export interface ListedFile {
  name: string;
  /** `null`: it is not there. */
  bytes: number | null;
  /** Its kind in words. */
  kind: string;
  /** Whether the database reads it. */
  counts: boolean;
  /** What it is. */
  why: string;
  /** Where it is damaged, in words; `null`: nowhere that is known. */
  damage: string | null;
  /** Its colour. */
  swatch?: string;
}

interface Props<File> {
  caption: ReactNode;
  files: readonly File[];
  /** Names of the last two columns; without the first one, all files count. */
  heads: readonly [counts: string | null, why: string];
  /** Shows the bytes of a file. */
  onBytes(file: File): void;
}

/** Kinds of the filter that are none of a file. */
const [ALL, IDLE] = ['all', 'idle'];

/** Files with their sizes to scale; the name of each leads to its bytes. */
export function FileTable<File extends ListedFile>(props: Props<File>) {
  const { caption, files, heads, onBytes } = props;
  const most = files.reduce((longest, { bytes }) => Math.max(longest, bytes ?? 0), 1);
  const { shown, fields } = useFilter(files);
  const first = useFirst(shown);
  const [countsHead, whyHead] = heads;
  const counts: Column<File> = [
    countsHead,
    (file) => (file.bytes === null ? MISSING : file.counts ? '✓ yes' : '– no'),
  ];
  return (
    <>
      {fields}
      <DataTable
        className="chart-table files"
        caption={caption}
        rows={first.lines}
        rowProps={(file) => ({ className: file.counts ? '' : 'dim' })}
        columns={[
          ['file', (file) => <FileName file={file} onBytes={() => onBytes(file)} />, 'head'],
          ['kind', ({ kind }) => kind],
          ['size', FileSize, 'number'],
          [
            SCALE,
            ({ bytes }) => (
              <span className="file-size" aria-hidden="true">
                <i style={{ width: `${(100 * (bytes ?? 0)) / most}%` }} />
              </span>
            ),
          ],
          ...(countsHead === null ? [] : [counts]),
          [
            whyHead,
            ({ why, damage }) => (
              <>
                {why}
                {damage !== null && <span className="problem"> ▲ {damage}</span>}
              </>
            ),
          ],
        ]}
      />
      {shown.length === 0 && files.length > 0 && (
        <p className="dim">No file has such a name and kind.</p>
      )}
      <MoreLines first={first} nouns="files" />
    </>
  );
}

/** Narrows a list by a part of the name, in letters of any size, and by kind. */
function useFilter<File extends ListedFile>(files: readonly File[]) {
  const [text, setText] = useState('');
  const [wanted, setWanted] = useState(ALL);
  const shown = useMemo(() => {
    const part = text.trim().toLowerCase();
    const isOfKind = ({ kind, counts }: File) =>
      wanted === ALL || (wanted === IDLE ? !counts : kind === wanted);
    return files.filter((file) => isOfKind(file) && file.name.toLowerCase().includes(part));
  }, [files, text, wanted]);
  const there = files.filter(({ bytes }) => bytes !== null);
  const numbers = new Map<string, number>();
  for (const { kind } of there) numbers.set(kind, (numbers.get(kind) ?? 0) + 1);
  const idle = there.filter(({ counts }) => !counts).length;
  const fields = (
    <div className="file-filter in-row wraps">
      <label htmlFor="files-text">Name contains</label>
      <input
        id="files-text"
        type="search"
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      <label htmlFor="files-kind">Kind</label>
      <select id="files-kind" value={wanted} onChange={(event) => setWanted(event.target.value)}>
        <option value={ALL}>all ({count(there.length)})</option>
        {[...numbers].map(([kind, number]) => (
          <option key={kind} value={kind}>
            {kind} ({count(number)})
          </option>
        ))}
        {idle > 0 && <option value={IDLE}>those that do not count ({count(idle)})</option>}
      </select>
      <span className="dim" role="status">
        {shown.length < files.length &&
          `${count(shown.length)} of ${counted(there.length, 'file')}`}
      </span>
    </div>
  );
  return { shown, fields };
}

const SCALE = <span className="visually-hidden">size to scale</span>;
const MISSING = <span className="problem">▲ missing</span>;

function FileName({ file, onBytes }: { file: ListedFile; onBytes(): void }) {
  const name = (
    <code>
      <Name of={file.name} />
    </code>
  );
  return (
    <>
      {file.swatch && <i className={`swatch ${file.swatch}`} aria-hidden="true" />}
      {file.bytes === null ? name : <TextLink onClick={onBytes}>{name}</TextLink>}
    </>
  );
}

function FileSize({ bytes }: ListedFile) {
  return bytes === null ? '–' : <span title={`${count(bytes)} B`}>{size(bytes)}</span>;
}
