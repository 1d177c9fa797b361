import type { Leaf } from '../../model/bytes';
import { hexByte, letter } from '../../model/bytes';
import { NO_DAMAGE } from '../../model/damage';
import type { Damage, Node, Step } from '../../model/engine.generated';
import { count, counted, hex } from '../../model/words';
import { HexGrid, type Span } from '../Hex/HexGrid';
import type { Chunks } from '../Hex/useChunks';
import { useCommands, useSelection } from '../shared/contexts';
import { Segments } from '../shared/Segments';
import { DataInspector } from './DataInspector';
import { NodeTree } from './NodeTree';
import { PartsTable } from './PartsTable';
import type { BytePlace, Hovered } from './useBytePlace';
import { type FileTree, pathOfTrail } from './useTree';

interface Props {
  id: string;
  name: string;
  place: BytePlace;
  tree: FileTree;
  hover: Hovered | null;
  /** The bytes of that part. */
  hovered: Span | null;
  /** Whether the bytes are shown as a table of fields. */
  asTable: boolean;
  canCorrupt: boolean;
  /** Bytes of the file that were flipped. */
  damages: readonly Damage[];
  onLeaf(leaf: Leaf | null): void;
  onNode(path: string | null, node: Node | null, decoded: boolean): void;
  onCopy(what: 'hex' | 'rust'): void;
}

const EMPTY = new Uint8Array();

/** Tree, bytes and data of one selection, side by side. */
export function ByteColumns(props: Props) {
  const { id, name, place, tree, hover, hovered, asTable, onLeaf, onNode, onCopy } = props;
  const { select } = useSelection();
  const { type } = useCommands();
  const { trail, inside, chunks, pin, cursor, setCursor, pinPath, pinRange, onView } = place;
  const pinByte = (offset: number) => {
    const leaf = chunks.leaf(offset);
    if (leaf) pinPath(leaf.path);
  };
  return (
    <div className="bytes-columns grows">
      <div className="bytes-tree in-column">
        <NodeTree
          file={id}
          tree={tree}
          label="Parts of the file"
          pinned={pin?.path ?? null}
          hovered={hover?.path ?? null}
          onPin={pinPath}
          onHover={onNode}
          damages={props.damages}
        />
      </div>
      <div className="bytes-hex in-column">
        <SpaceSwitch trail={trail} inside={inside} onPinPath={pinPath} />
        {asTable ? (
          <PartsTable
            leaves={chunks.at(cursor)?.leaves ?? []}
            pinned={pin?.path ?? null}
            decoded={inside !== null}
            onPin={pinPath}
          />
        ) : (
          <HexGrid
            key={inside ?? ''}
            label={`Bytes of ${name}${inside === null ? '' : ', decompressed block'}. Arrow keys move, Enter pins, Shift chooses bytes.`}
            chunks={chunks}
            cursor={cursor}
            pinned={pin?.span ?? null}
            hovered={hovered}
            damages={inside === null ? props.damages : NO_DAMAGE}
            file={id}
            onCursor={setCursor}
            onPin={pinByte}
            onRange={pinRange}
            onHover={onLeaf}
            onView={onView}
          />
        )}
        <Status chunks={chunks} cursor={cursor} hover={hover} decoded={inside !== null} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="bytes-data in-column" aria-label="Data inspector" tabIndex={0}>
        <DataInspector
          pin={pin}
          bytes={
            pin ? chunks.bytes(pin.span.from, Math.min(pin.span.end, pin.span.from + 256)) : EMPTY
          }
          preview={chunks.leaf(cursor)}
          leaf={chunks.leaf}
          onPlace={place.pinAt}
          onFile={(from, to) => select(`${id}/bytes:${from}-${to}`)}
          onPinPath={pinPath}
          onCopy={onCopy}
          onCorrupt={props.canCorrupt ? (offset) => type(`corrupt ${id} ${offset} 1`) : undefined}
        />
      </section>
    </div>
  );
}

const SPACES = [
  { of: 'stored', name: 'Stored, compressed' },
  { of: 'decoded', name: 'Decompressed' },
] as const;

/** The switch of a compressed block: its stored bytes, or its decompressed content. */
function SpaceSwitch(props: {
  trail: readonly Step[] | null;
  inside: string | null;
  onPinPath(path: string): void;
}) {
  const { trail, inside, onPinPath } = props;
  const at = trail?.findIndex(({ node }) => node.kind === 'compressed') ?? -1;
  if (!trail || at < 0) return null;
  const path = pathOfTrail(trail.slice(0, at + 1));
  return (
    <div className="space-switch in-row rigid">
      <Segments
        legend="Which bytes"
        choices={SPACES}
        chosen={inside === null ? 'stored' : 'decoded'}
        onChoose={(space) => onPinPath(space === 'stored' ? path : `${path}/entry:1`)}
      />
      <span className="dim">{trail[at]?.node.value}</span>
    </div>
  );
}

/** The byte with the keyboard focus, or the part under the pointer. */
function Status(props: {
  chunks: Chunks;
  cursor: number;
  hover: { node: Node } | null;
  decoded: boolean;
}) {
  const { chunks, cursor, hover, decoded } = props;
  if (hover) return <HoveredPart node={hover.node} />;
  const chunk = chunks.at(cursor);
  const byte = chunk?.bytes[cursor - chunk.offset];
  const leaf = chunks.leaf(cursor);
  const names = leaf?.trail.map(({ name }) => name).join(' › ') ?? '';
  return (
    <p className="byte-status rigid">
      <span className="mono">
        {decoded ? '+' : ''}
        {hex(cursor)}
      </span>{' '}
      <span className="dim">= {count(cursor)}</span>
      {byte !== undefined && (
        <span className="mono">
          {'  '}
          {hexByte(byte)} {letter(byte)}
        </span>
      )}{' '}
      <span className="names">{names}</span>
    </p>
  );
}

/** The part under the pointer: its offset, its length and its value. */
function HoveredPart({ node }: { node: Node }) {
  const { offset, bytes, name, value } = node;
  return (
    <p className="byte-status rigid">
      <span className="mono">{hex(offset)}</span>{' '}
      <span className="dim">
        = {count(offset)}, {counted(bytes, 'byte')}
      </span>{' '}
      <span className="names">{value === '' ? name : `${name} = ${value}`}</span>
    </p>
  );
}
