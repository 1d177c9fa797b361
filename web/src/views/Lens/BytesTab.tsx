import './BytesTab.css';

import { useMemo } from 'react';
import type { Place } from '../../lens/lens';
import { nameText } from '../../lens/names';
import { type DamagedByte, NO_DAMAGE } from '../../model/damage';
import type { KnownFile } from '../../model/files';
import { parseSelection } from '../../model/selection';
import type { Store } from '../../model/store';
import { count, size } from '../../model/words';
import { FileBytes } from '../Bytes/FileBytes';
import { SelectionProvider } from '../shared/contexts';
import { useStore } from '../shared/useStore';
import type { FileLine, Problem } from './scene/answers';

interface Props {
  files: readonly FileLine[];
  /** The part on show, such as `@000012.sst/blocks:1`. */
  place: Store<Place>;
  /** The file on show before one is chosen. */
  first: string;
  problems: readonly Problem[];
}

/** Most files in the list: browsers open a longer one slowly. */
const CHOICE_MAX = 1000;

/** Every byte of a file by its name. */
export function BytesTab({ files, place, first, problems }: Props) {
  const asked = useStore(place)?.address;
  const address = asked ?? `@${first}`;
  const file = files.find(({ name }) => isIn(name, address))?.name ?? first;
  const selection = useMemo(
    () => ({
      select: (next: string | null) => place.update(() => ({ address: next ?? `@${file}` })),
    }),
    [place, file],
  );
  const choice = files.filter(({ name }, place) => place < CHOICE_MAX || name === file);
  return (
    <section className="lens-bytes in-column" aria-label="Bytes">
      <div className="lens-bytes-head in-row">
        <label htmlFor="lens-bytes-file">File</label>
        <select
          id="lens-bytes-file"
          value={file}
          onChange={(event) => selection.select(`@${event.target.value}`)}
        >
          {choice.map(({ name, bytes, why }) => (
            <option key={name} value={name}>
              {nameText(name)}: {size(bytes)}, {why}
            </option>
          ))}
          {choice.length < files.length && (
            <option disabled>
              {count(files.length - choice.length)} more: the tab of files leads to them
            </option>
          )}
        </select>
      </div>
      <SelectionProvider value={selection}>
        <OneFile
          key={file}
          file={files.find(({ name }) => name === file)}
          address={address}
          problems={problems}
        />
      </SelectionProvider>
    </section>
  );
}

/** Whether an address leads to a file or a part of it. */
function isIn(file: string, address: string): boolean {
  return address === `@${file}` || address.startsWith(`@${file}/`);
}

interface OneFileProps {
  file: FileLine | undefined;
  address: string;
  problems: readonly Problem[];
}

function OneFile({ file, address, problems }: OneFileProps) {
  const name = file?.name ?? '';
  const id = `@${name}`;
  // A name may have any characters; the parts after it have their form.
  const selection = useMemo(
    () => parseSelection(`@file${address.slice(id.length)}`),
    [address, id],
  );
  const marks = useMemo(() => marksOf(name, problems), [name, problems]);
  return (
    <FileBytes
      id={id}
      file={file === undefined ? null : known(id, file)}
      damages={NO_DAMAGE}
      marks={marks}
      selection={selection}
      asTable={false}
      isGone={file === undefined}
      isRead
    />
  );
}

function known(id: string, { name, bytes, why }: FileLine): KnownFile {
  return { id, name, bytes, role: why, level: null, damage: null };
}

/** The places of the file that findings name. */
function marksOf(file: string, problems: readonly Problem[]): DamagedByte[] {
  const here = problems.filter((problem) => problem.file === file && problem.severity === 'error');
  return here.flatMap(({ offset }) => (offset === null ? [] : [{ offset }]));
}
