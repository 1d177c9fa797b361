// The layout comes after the parts: it adapts them to its room.
import './Parts.css';
import './Bytes.css';

import { type RefObject, useEffect, useRef } from 'react';
import { type DamagedByte, NO_DAMAGE } from '../../model/damage';
import type { Damage } from '../../model/engine.generated';
import type { KnownFile } from '../../model/files';
import type { Selection } from '../../model/selection';
import { joined, size } from '../../model/words';
import { DamageNote } from '../shared/DamageNote';
import { ByteStatus, SpaceSwitch } from './ByteStatus';
import { ByteTools } from './ByteTools';
import { DataInspector } from './DataInspector';
import { HexGrid } from './HexGrid';
import { NodeTree } from './NodeTree';
import { PartsTable } from './PartsTable';
import { Ribbon } from './Ribbon';
import { useByteSearch } from './useByteSearch';
import { usePlace } from './usePlace';

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

/** One file: its ribbon, and below it tree, bytes and data of one selection, side by side. */
export function FileBytes(props: Props) {
  const { id, file, damages, marks = damages, isRead = false } = props;
  const host = useRef<HTMLElement>(null);
  const place = usePlace(id, props.selection, marks);
  const { trail, inside, chunks, tree, pin, hover } = place;
  const search = useByteSearch(place);
  useLostFocus(host);
  const name = file?.name ?? id;
  const words = [file && `${file.role}, ${size(file.bytes)}`, isRead && trail?.[0]?.node.value];
  const failure = chunks.failure ?? tree.failure;
  return (
    <section
      className={`bytes-body in-column grows level-${Math.min(file?.level ?? 0, 3)}`}
      ref={host}
      tabIndex={-1}
      data-file={id}
      data-inside={inside ?? undefined}
      aria-label={name}
    >
      <div className="bytes-title in-row wraps rigid">
        <h2>
          <code>{name}</code>{' '}
          <small className="dim">
            {file === null && props.isGone ? 'is no longer there' : joined(words, ' · ')}
          </small>
        </h2>
        <ByteTools
          search={search}
          onLeaveField={() => host.current?.querySelector<HTMLElement>('[role=grid]')?.focus()}
        />
      </div>
      <DamageNote file={id} damages={damages} />
      <Ribbon name={name} place={place} bytes={file?.bytes ?? 0} damages={marks} />
      {failure !== null && <p className="problem">{failure}</p>}
      <div className="bytes-columns grows">
        <div className="bytes-tree in-column">
          <NodeTree
            file={id}
            tree={tree}
            pinned={pin?.path ?? null}
            hovered={hover?.path ?? null}
            damages={damages}
            onHover={place.point}
          />
        </div>
        <div className="bytes-hex in-column">
          <SpaceSwitch place={place} />
          {props.asTable ? (
            <PartsTable place={place} />
          ) : (
            <HexGrid
              key={inside ?? ''}
              name={name}
              place={place}
              damages={inside === null ? damages : NO_DAMAGE}
            />
          )}
          <ByteStatus place={place} />
        </div>
        <DataInspector place={place} canCorrupt={!isRead} onCopy={search.copy} />
      </div>
    </section>
  );
}

/** Moves a lost focus to `host`: the list in which the file was chosen is gone. */
function useLostFocus(host: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement === document.body) host.current?.focus();
  }, [host]);
}
