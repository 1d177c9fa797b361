import './Bytes.css';

import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { ribbonQuery } from '../../model/ask';
import type { DamagedByte } from '../../model/damage';
import type { Damage, Step, Stretch } from '../../model/engine.generated';
import type { KnownFile } from '../../model/files';
import type { Selection } from '../../model/selection';
import { size } from '../../model/words';
import type { Span } from '../Hex/HexGrid';
import { EntriesTable } from '../Opened/EntriesTable';
import { LookupView } from '../Opened/LookupView';
import { type Look, OpenedHead } from '../Opened/OpenedHead';
import { saveRibbon } from '../Ribbon/exportRibbon';
import { Ribbon } from '../Ribbon/Ribbon';
import { Quiet } from '../shared/buttons';
import { SelectionProvider, useSelection } from '../shared/contexts';
import { DamageNote } from '../shared/DamageNote';
import { PICTURE_FORMATS } from '../shared/pictureFile';
import { useAnswer } from '../shared/useAnswer';
import { ByteColumns } from './ByteColumns';
import { ByteTools } from './ByteTools';
import { useBytePlace, useByteSearch, useHover } from './useBytePlace';
import { pathOfTrail, useTree } from './useTree';

interface Props {
  id: string;
  file: KnownFile | null;
  /** Bytes of it that were flipped. */
  damages: readonly Damage[];
  selection: Selection | null;
  /** Whether the bytes are shown as a table of fields. */
  asTable: boolean;
  /** Whether the database has no such file at the moment shown. */
  isGone: boolean;
  /** Whether the file is only read: no byte of it is flipped. */
  isRead?: boolean;
  /** Places of it that are known to be damaged. */
  marks?: readonly DamagedByte[];
}

const NO_STRETCHES: readonly Stretch[] = [];

/** A key that is looked up, and how. */
interface Wanted {
  key: string;
  search: string;
}

/** One file: its ribbon, and below it its bytes, its entries or a lookup. */
export function FileBytes(props: Props) {
  const { id, file, selection } = props;
  const host = useRef<HTMLElement>(null);
  const [look, setLook] = useState<Look>('Bytes');
  const place = useBytePlace(id, selection);
  const { trail, inside, pin, seen } = place;
  const damages = useDamagedBytes(props);
  const { hover, onLeaf, onNode, onPart } = useHover(inside);
  const tree = useTree(id, trail, damages);
  const { stretches, total } = useStretches(id, file?.bytes ?? 0);
  const level = file?.level ?? 0;
  const hovered = hover && { from: hover.node.offset, end: hover.node.offset + hover.node.bytes };
  const toFile = (span: Span | null) =>
    span && inside === null ? { from: span.from, to: span.end } : null;
  const failure = place.chunks.failure ?? tree.failure;
  const inBytes = useSelectionInBytes(setLook);
  const search = useByteSearch(place);
  const lookup = useLookup(file, setLook);
  useLostFocus(host);
  return (
    <section
      className={`bytes-body in-column grows level-${Math.min(level, 3)}`}
      ref={host}
      tabIndex={-1}
      data-file={id}
      data-inside={inside ?? undefined}
      aria-label={file?.name ?? id}
    >
      <FileTitle {...{ ...props, look, trail, stretches, total, search }} />
      {file?.opened && <OpenedHead file={file.opened} look={look} onLook={setLook} />}
      {props.damages.length > 0 && <DamageNote file={id} damages={props.damages} />}
      <Ribbon
        name={`The file ${file?.name ?? id}`}
        file={id}
        damages={damages}
        stretches={stretches}
        total={total}
        level={level}
        selected={trail ? pathOfTrail(trail) || null : null}
        onPick={(path) => inBytes.select(`${id}/${path}`)}
        onHover={onPart}
        window={inside === null && look === 'Bytes' ? { from: seen.from, to: seen.end } : null}
        pinned={toFile(pin && !pin.decoded ? pin.span : null)}
        hovered={toFile(hovered)}
      />
      {failure !== null && <p className="problem">{failure}</p>}
      {look === 'Bytes' ? (
        <ByteColumns
          {...props}
          name={file?.name ?? id}
          place={place}
          tree={tree}
          hover={hover}
          hovered={hovered}
          onLeaf={onLeaf}
          onNode={onNode}
          onCopy={(what) => void search.copy(what)}
          canCorrupt={!(file?.opened || props.isRead)}
        />
      ) : (
        <SelectionProvider value={inBytes}>
          <Contents {...props} {...lookup} look={look} stretches={stretches} />
        </SelectionProvider>
      )}
    </section>
  );
}

/** The list in which the file was chosen is gone, and with it the focus. */
function useLostFocus(host: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement === document.body) host.current?.focus();
  }, [host]);
}

/** The flipped bytes of a file, or the first damaged byte of an opened one. */
function useDamagedBytes({ file, damages, marks }: Props): readonly DamagedByte[] {
  const first = file?.opened?.damage?.offset ?? null;
  return useMemo(
    () => marks ?? (first === null ? damages : [{ offset: first }]),
    [first, damages, marks],
  );
}

/** The key that is looked up; it stays while other tabs are on show. */
function useLookup(file: KnownFile | null, setLook: (look: Look) => void) {
  const [wanted, onWant] = useState<Wanted | null>(null);
  const onLookUp = (key: string) => {
    const usual = file?.opened?.format?.searches[0] ?? 'sequential';
    onWant({ key, search: wanted?.search ?? usual });
    setLook('Look up');
  };
  return { wanted, onWant, onLookUp };
}

/** The parts of the whole file, once they are known. */
function useStretches(id: string, bytes: number): { stretches: readonly Stretch[]; total: number } {
  const ribbon = useAnswer(ribbonQuery(id));
  if (ribbon.state !== 'ready') return { stretches: NO_STRETCHES, total: bytes };
  return { stretches: ribbon.result.stretches, total: ribbon.result.fileBytes };
}

/** A selection in the file switches to the tab Bytes. */
function useSelectionInBytes(setLook: (look: Look) => void) {
  const { select } = useSelection();
  return useMemo(
    () => ({
      select(selected: string | null) {
        setLook('Bytes');
        select(selected);
      },
    }),
    [select, setLook],
  );
}

interface TitleProps extends Props {
  look: Look;
  trail: readonly Step[] | null;
  stretches: readonly Stretch[];
  total: number;
  search: ReturnType<typeof useByteSearch>;
}

function FileTitle(props: TitleProps) {
  const { id, file, isGone, isRead, look, trail, stretches, total, search } = props;
  const says = (isRead && trail?.[0]?.node.value) || '';
  const host = useRef<HTMLDivElement>(null);
  const name = file?.name ?? id;
  const body = () => host.current?.closest<HTMLElement>('.bytes-body') ?? null;
  const save = (format: (typeof PICTURE_FORMATS)[number]) => {
    const element = body();
    if (element) void saveRibbon(format, element, name, stretches, total);
  };
  const words = file ? `${file.opened ? '' : `${file.role}, `}${size(file.bytes)}` : '';
  return (
    <div className="bytes-title in-row wraps rigid" ref={host}>
      <h2>
        <code>{name}</code>{' '}
        <small>
          {file === null && isGone ? 'is no longer there' : words}
          {says !== '' && ` · ${says}`}
        </small>
      </h2>
      {look === 'Bytes' && (
        <ByteTools
          found={search.found}
          onGo={search.go}
          onFind={(text) => void search.search(text)}
          onLeaveField={() => body()?.querySelector<HTMLElement>('[role=grid]')?.focus()}
        />
      )}
      {PICTURE_FORMATS.map((format) => (
        <Quiet
          key={format}
          aria-label={`Save the ribbon as ${format.toUpperCase()}`}
          disabled={stretches.length === 0}
          onClick={() => save(format)}
        >
          ⤓ {format.toUpperCase()}
        </Quiet>
      ))}
    </div>
  );
}

interface ContentsProps extends Props {
  look: Look;
  wanted: Wanted | null;
  stretches: readonly Stretch[];
  onLookUp(key: string): void;
  onWant(wanted: Wanted): void;
}

/** The content of an opened file: all entries, or one that is looked up. */
function Contents(props: ContentsProps) {
  const { file, look, wanted, stretches, onLookUp, onWant } = props;
  const opened = file?.opened;
  if (!opened) return null;
  if (look === 'Entries') {
    return <EntriesTable file={opened} onLookUp={onLookUp} />;
  }
  return <LookupView file={opened} wanted={wanted} stretches={stretches} onWant={onWant} />;
}
