import { hexByte, letter } from '../../model/bytes';
import { count, counted, hex, joined } from '../../model/words';
import { Segments } from '../shared/Segments';
import type { Place } from './usePlace';

const SPACES = [
  { of: 'stored', name: 'Stored, compressed' },
  { of: 'decoded', name: 'Decompressed' },
] as const;

/** The switch of a compressed block: its stored bytes, or its decompressed content. */
export function SpaceSwitch({ place: { trail, inside, pinPath } }: { place: Place }) {
  const stored = trail?.find(({ node }) => node.kind === 'compressed');
  if (!stored) return null;
  const { path, node } = stored;
  return (
    <div className="space-switch in-row rigid">
      <Segments
        legend="Which bytes"
        choices={SPACES}
        chosen={inside === null ? 'stored' : 'decoded'}
        onChoose={(space) => pinPath(space === 'stored' ? path : `${path}/entry:1`)}
      />
      <span className="dim">{node.value}</span>
    </div>
  );
}

/** The part under the pointer, or else the byte with the keyboard focus: its offset, its value and its names. */
export function ByteStatus({ place: { chunks, cursor, hover, inside } }: { place: Place }) {
  const byte = hover ? undefined : chunks.byte(cursor);
  const offset = hover?.node.offset ?? cursor;
  const { name, value } = hover?.node ?? {};
  return (
    <p className="byte-status rigid">
      <span className="mono">
        {inside === null ? '' : '+'}
        {hex(offset)}
      </span>{' '}
      <span className="dim">
        = {count(offset)}
        {hover && `, ${counted(hover.node.bytes, 'byte')}`}
      </span>
      {byte !== undefined && (
        <span className="mono">
          {'  '}
          {hexByte(byte)} {letter(byte)}
        </span>
      )}{' '}
      <span className="names">
        {hover
          ? joined([name, value], ' = ')
          : chunks
              .leaf(cursor)
              ?.trail.map((node) => node.name)
              .join(' › ')}
      </span>
    </p>
  );
}
