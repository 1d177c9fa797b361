import './BytesTab.css';

import { useEffect, useState } from 'react';
import { nameText } from '../../lens/names';
import { count, counted, hex, size } from '../../model/words';
import { Action, TextLink } from '../shared/buttons';
import { useTold } from './asking';
import { HexWindow } from './HexWindow';
import { PartTable } from './PartTable';
import { Reading } from './Reading';
import type { BytePart, FileLine, OpenedBytes } from './scene/answers';
import { lookOf, stretchesOf } from './scene/bytes';

interface Props {
  files: readonly FileLine[];
  /** The file on show. */
  file: string;
  onFile(file: string): void;
}

/** Parts of one answer. */
const PARTS = 200;

/** Files in the choice; a longer one hardly opens. */
const CHOICE_MAX = 1000;

/** Every byte of a file by its name: parts, opened one by one, beside the bytes themselves. */
export function BytesTab({ files, file, onFile }: Props) {
  const choice = files.filter(({ name }, place) => place < CHOICE_MAX || name === file);
  return (
    <section className="lens-bytes in-column" aria-label="Bytes">
      <div className="lens-bytes-head in-row">
        <label htmlFor="lens-bytes-file">File</label>
        <select id="lens-bytes-file" value={file} onChange={(event) => onFile(event.target.value)}>
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
      <FileParts key={file} file={file} />
    </section>
  );
}

/** A place in a file, with a part of its list. */
interface Look {
  path: readonly number[];
  /** The first part of the list. */
  from: number;
  /** The place of the chosen part. */
  chosen: number | null;
  /** Whether a person went there: an only part opens by itself before that. */
  isAsked: boolean;
}

const TOP: Look = { path: [], from: 0, chosen: null, isAsked: false };

function FileParts({ file }: { file: string }) {
  const [look, setLook] = useState<Look>(TOP);
  const { path, from, chosen } = look;
  const told = useTold({ ask: 'bytes', file, path: [...path], from, limit: PARTS });
  const { result: opened, failure } = told;
  const alone = !look.isAsked && told.isCurrent && isAlone(opened);
  useEffect(() => {
    if (alone) setLook((at) => ({ ...at, path: [...at.path, 0] }));
  }, [alone]);
  if (failure !== null && !told.isCurrent) {
    return (
      <p className="problem lens-note" role="alert">
        {failure} {path.length > 0 && <Action onClick={() => setLook(TOP)}>The whole file</Action>}
      </p>
    );
  }
  if (opened === null) return <Reading className="lens-note" />;
  const whole = opened.trail[opened.trail.length - 1];
  if (!whole) return null;
  const open = (next: readonly number[]) =>
    setLook({ path: next, from: 0, chosen: null, isAsked: true });
  const choose = (place: number | null) => setLook({ ...look, chosen: place });
  const own = opened.trail.length - 1 === path.length ? path : [];
  return (
    <>
      <Trail opened={opened} onOpen={(depth) => open(own.slice(0, depth))} />
      <Strip opened={opened} whole={whole} chosen={chosen} onChoose={choose} />
      <div className="lens-bytes-columns grows">
        <PartTable
          opened={opened}
          chosen={chosen}
          onChoose={choose}
          onOpen={(place) => open([...own, place])}
          onPage={(first) => setLook({ path: own, from: first, chosen: null, isAsked: true })}
        />
        <HexWindow
          key={`${own.join('.')} ${whole.offset}`}
          file={file}
          path={own}
          opened={opened}
          whole={whole}
          chosen={chosen}
          onChoose={choose}
        />
      </div>
    </>
  );
}

/** Whether a part has nothing but one other, such as a short log of one block. */
function isAlone(opened: OpenedBytes | null): boolean {
  const [only] = opened?.parts ?? [];
  return only?.opens === true && opened?.parts.length === 1 && opened.next === null;
}

/** The way from the file to the opened part, and what it says. */
function Trail({ opened, onOpen }: { opened: OpenedBytes; onOpen(depth: number): void }) {
  const { trail } = opened;
  const whole = trail[trail.length - 1];
  return (
    <nav className="lens-trail" aria-label="The way to this part">
      <ol>
        {trail.map((part, depth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a way have no name but their depth
          <li key={depth}>
            {depth === trail.length - 1 ? (
              <strong aria-current="location">{part.name}</strong>
            ) : (
              <TextLink onClick={() => onOpen(depth)}>{part.name}</TextLink>
            )}
          </li>
        ))}
      </ol>
      {whole && <PartWords part={whole} />}
    </nav>
  );
}

/** What a part says, where it is, and what is wrong with it. */
function PartWords({ part }: { part: BytePart }) {
  const { value, offset, bytes, decoded, problem } = part;
  return (
    <p>
      {value !== '' && <>{value} · </>}
      <span className="dim">
        {counted(bytes, 'byte')} at {count(offset)} ({hex(offset)})
        {decoded && ' of the decoded content'}
      </span>
      {problem !== null && <strong className="problem"> ▲ {problem}</strong>}
    </p>
  );
}

interface StripProps {
  opened: OpenedBytes;
  whole: BytePart;
  chosen: number | null;
  onChoose(place: number): void;
}

/** The parts to scale; the list below leads to the same ones by keyboard. */
function Strip({ opened, whole, chosen, onChoose }: StripProps) {
  const stretches = stretchesOf(opened.parts, opened.from, whole);
  if (stretches.length < 2) return null;
  return (
    <div className="lens-strip rigid" aria-hidden="true">
      {stretches.map(({ place, part, x, w }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the list leads to the same parts by keyboard
        // biome-ignore lint/a11y/useKeyWithClickEvents: as above
        <i
          key={place}
          className={`${lookOf(part)}${place === chosen ? ' is-chosen' : ''}`}
          title={`${part.name}, ${counted(part.bytes, 'byte')}`}
          style={{ left: `${100 * x}%`, width: `max(${100 * w}%, 1px)` }}
          onClick={() => onChoose(place)}
        />
      ))}
    </div>
  );
}
