import './Bytes.css';

import { type RefObject, useEffect, useRef } from 'react';
import { ribbonQuery } from '../../model/ask';
import type { DamagedByte } from '../../model/damage';
import type { Damage, Step, Stretch } from '../../model/engine.generated';
import type { KnownFile } from '../../model/files';
import type { Selection } from '../../model/selection';
import { size } from '../../model/words';
import type { Span } from '../Hex/HexGrid';
import { Ribbon } from '../Ribbon/Ribbon';
import { useSelection } from '../shared/contexts';
import { DamageNote } from '../shared/DamageNote';
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
  /** Whether the database has no such file at the step on show. */
  isGone: boolean;
  /** Whether the file is only read: no byte of it is flipped. */
  isRead?: boolean;
  /** Places of it that are known to be damaged. */
  marks?: readonly DamagedByte[];
}

const NO_STRETCHES: readonly Stretch[] = [];

/** One file: its ribbon, and below it its bytes. */
export function FileBytes(props: Props) {
  const { id, file, selection } = props;
  const host = useRef<HTMLElement>(null);
  const place = useBytePlace(id, selection);
  const { trail, inside, pin, seen } = place;
  const damages = props.marks ?? props.damages;
  const { hover, onLeaf, onNode, onPart } = useHover(inside);
  const tree = useTree(id, trail, damages);
  const { stretches, total } = useStretches(id, file?.bytes ?? 0);
  const level = file?.level ?? 0;
  const hovered = hover && { from: hover.node.offset, end: hover.node.offset + hover.node.bytes };
  const toFile = (span: Span | null) =>
    span && inside === null ? { from: span.from, to: span.end } : null;
  const failure = place.chunks.failure ?? tree.failure;
  const { select } = useSelection();
  const search = useByteSearch(place);
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
      <FileTitle {...{ ...props, trail, search }} />
      {props.damages.length > 0 && <DamageNote file={id} damages={props.damages} />}
      <Ribbon
        name={`The file ${file?.name ?? id}`}
        file={id}
        damages={damages}
        stretches={stretches}
        total={total}
        level={level}
        selected={trail ? pathOfTrail(trail) || null : null}
        onPick={(path) => select(`${id}/${path}`)}
        onHover={onPart}
        window={inside === null ? { from: seen.from, to: seen.end } : null}
        pinned={toFile(pin && !pin.decoded ? pin.span : null)}
        hovered={toFile(hovered)}
      />
      {failure !== null && <p className="problem">{failure}</p>}
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
        canCorrupt={!props.isRead}
      />
    </section>
  );
}

/** Moves a lost focus to `host`: the list in which the file was chosen is gone. */
function useLostFocus(host: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement === document.body) host.current?.focus();
  }, [host]);
}

/** The parts of the whole file, once they are known. */
function useStretches(id: string, bytes: number): { stretches: readonly Stretch[]; total: number } {
  const ribbon = useAnswer(ribbonQuery(id));
  if (ribbon.state !== 'ready') return { stretches: NO_STRETCHES, total: bytes };
  return { stretches: ribbon.result.stretches, total: ribbon.result.fileBytes };
}

interface TitleProps extends Props {
  trail: readonly Step[] | null;
  search: ReturnType<typeof useByteSearch>;
}

function FileTitle(props: TitleProps) {
  const { id, file, isGone, isRead, trail, search } = props;
  const value = (isRead && trail?.[0]?.node.value) || '';
  const host = useRef<HTMLDivElement>(null);
  const name = file?.name ?? id;
  const body = () => host.current?.closest<HTMLElement>('.bytes-body') ?? null;
  const words = file ? `${file.role}, ${size(file.bytes)}` : '';
  return (
    <div className="bytes-title in-row wraps rigid" ref={host}>
      <h2>
        <code>{name}</code>{' '}
        <small>
          {file === null && isGone ? 'is no longer there' : words}
          {value !== '' && ` · ${value}`}
        </small>
      </h2>
      <ByteTools
        found={search.found}
        onGo={search.go}
        onFind={(text) => void search.search(text)}
        onLeaveField={() => body()?.querySelector<HTMLElement>('[role=grid]')?.focus()}
      />
    </div>
  );
}
