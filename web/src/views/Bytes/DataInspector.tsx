import './DataInspector.css';

import { asHexText, asRustArray, type Leaf, readings, textOf } from '../../model/bytes';
import { type Fact, SHOWN_KEY_BYTES_MAX, type Step } from '../../model/engine.generated';
import { keyParts } from '../../model/keys';
import { below } from '../../model/tree';
import { count, counted, hex } from '../../model/words';
import type { Span } from '../Hex/HexGrid';
import { Action, TextLink } from '../shared/buttons';
import { DataTable } from '../shared/DataTable';
import { Facts } from '../shared/Facts';

/** A pinned part of the file, or some pinned bytes of it. */
export interface Pin {
  /** Path of the part; `null` for selected bytes. */
  path: string | null;
  trail: readonly Step[];
  span: Span;
  /** Whether the span counts in decoded content. */
  decoded: boolean;
}

interface Props {
  pin: Pin | null;
  /** The pinned bytes, as far as they are on hand. */
  bytes: Uint8Array;
  /** The leaf under the keyboard or the pointer, and the leaf at a byte on show. */
  preview: Leaf | null;
  leaf(offset: number): Leaf | null;
  /** Pins the part that has a byte, in the bytes on show or in the file. */
  onPlace(offset: number): void;
  onFile(from: number, to: number): void;
  onPinPath(path: string): void;
  onCopy(what: 'hex' | 'rust'): void;
  /** Types the command that damages a byte; absent where there is none. */
  onCorrupt?: ((offset: number) => void) | undefined;
}

/** The pinned bytes, in all interpretations. */
export function DataInspector(props: Props) {
  const { pin, bytes } = props;
  if (!pin) return <Nothing preview={props.preview} />;
  const { span, trail } = pin;
  const node = pin.path === null ? null : (trail[trail.length - 1]?.node ?? null);
  const length = span.end - span.from;
  const plus = pin.decoded ? '+' : '';
  return (
    <>
      <Trail {...props} pin={pin} />
      <h2>{node ? node.name : counted(length, 'byte')}</h2>
      {node && node.value !== '' && <p className="value mono">{node.value}</p>}
      <Facts
        rows={[
          [
            'Offset',
            <span key="at" className="mono">
              {plus}
              {hex(span.from)} – {plus}
              {hex(Math.max(span.end - 1, span.from))}
            </span>,
          ],
          ['Decimal', `${count(span.from)} – ${count(Math.max(span.end - 1, span.from))}`],
          ['Length', `${count(length)} B`],
          node !== null && ['Kind', node.kind],
        ]}
      />
      {node?.fact && <FactView fact={node.fact} {...props} />}
      {bytes.length > 0 && <Readings bytes={bytes} />}
      <div className="commands">
        <Action onClick={() => props.onCopy('hex')}>Copy as hex</Action>
        <Action onClick={() => props.onCopy('rust')}>Copy as Rust array</Action>
        {props.onCorrupt && !pin.decoded && (
          <Action className="danger-ink" onClick={() => props.onCorrupt?.(span.from)}>
            Flip a bit here
          </Action>
        )}
      </div>
    </>
  );
}

/** The bytes as numbers of every width, and as text. */
function Readings({ bytes }: Pick<Props, 'bytes'>) {
  return (
    <>
      <h3>Read as</h3>
      <DataTable
        className="readings"
        rows={readings(bytes)}
        columns={[
          ['from the first byte', ({ name }) => name, 'head'],
          ['unsigned', ({ plain }) => plain, 'mono'],
          ['signed', ({ signed }) => signed, 'mono'],
        ]}
      />
      <p className="dim">Numbers are little-endian.</p>
      <p>
        As text: <code>{textOf(bytes, 200)}</code>
      </p>
    </>
  );
}

/** The bytes as text for the clipboard. */
export function copied(what: 'hex' | 'rust', bytes: Uint8Array): string {
  return what === 'hex' ? asHexText(bytes) : asRustArray(bytes);
}

function Nothing({ preview }: { preview: Leaf | null }) {
  return (
    <>
      <h2>{preview ? preview.node.name : 'Nothing is pinned'}</h2>
      <p className="dim">
        Click a byte, a row of the tree or a part of the ribbon. With the keyboard: arrow keys, then
        Enter; Shift and arrow keys choose bytes; g goes to an offset.
      </p>
    </>
  );
}

function Trail({ pin, onPinPath }: Props & { pin: Pin }) {
  let path = '';
  const steps = pin.trail.slice(1, pin.path === null ? undefined : -1).map(({ node }) => {
    path = below(path, node);
    return { path, name: node.name };
  });
  if (steps.length === 0) return null;
  return (
    <nav className="trail wraps" aria-label="Parts that have these bytes">
      {steps.map(({ path: to, name }) => (
        <TextLink key={to} onClick={() => onPinPath(to)}>
          {name}
        </TextLink>
      ))}
    </nav>
  );
}

function word(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`;
}

function FactView({ fact, onPlace, onFile }: Props & { fact: Fact }) {
  switch (fact.fact) {
    case 'checksum':
      return <Checksum fact={fact} onFile={onFile} />;
    case 'key':
      return <KeyFact fact={fact} />;
    case 'place':
      return (
        <p>
          Leads to{' '}
          <TextLink onClick={() => onPlace(fact.offset)}>
            {hex(fact.offset)} ({count(fact.offset)})
          </TextLink>
        </p>
      );
  }
}

type FactOf<Name extends Fact['fact']> = Extract<Fact, { fact: Name }>;

function Checksum({ fact, onFile }: Pick<Props, 'onFile'> & { fact: FactOf<'checksum'> }) {
  const right = fact.stored === fact.computed;
  const covers = (
    <TextLink key="covers" onClick={() => onFile(fact.from, fact.from + fact.bytes - 1)}>
      {count(fact.bytes)} B from {hex(fact.from)} on
    </TextLink>
  );
  return (
    <section className={`note-box ${right ? 'is-good' : 'is-bad'}`} aria-label="Checksum">
      <h3>
        CRC-32 <small>{right ? '✓ correct' : '▲ does not match'}</small>
      </h3>
      <Facts
        rows={[
          ['Stored', <code key="stored">{word(fact.stored)}</code>],
          ['Recomputed', <code key="computed">{word(fact.computed)}</code>],
          ['Covers', fact.bytes > 0 ? covers : 'nothing: the body is empty'],
        ]}
      />
    </section>
  );
}

function KeyFact({ fact }: { fact: FactOf<'key'> }) {
  const { restart, sequence, tombstone } = fact;
  const { shared, rest } = keyParts(fact, SHOWN_KEY_BYTES_MAX);
  return (
    <section className="note-box" aria-label="Key">
      <h3>Key</h3>
      <p className="key-line mono">
        {shared !== '' && (
          <span className="shared" title="the same as in the key before: not stored again">
            {shared}
          </span>
        )}
        <b>{rest}</b>
      </p>
      <p className="dim">
        {restart
          ? 'Restart point: the key is whole, a binary search can look here.'
          : shared === ''
            ? 'Shares nothing with the key before it.'
            : 'The dim part is that of the key before it and is not stored again.'}
      </p>
      {sequence !== null && (
        <Facts
          rows={[
            ['Sequence', count(sequence)],
            ['Kind', tombstone ? 'delete × (a tombstone)' : 'put'],
          ]}
        />
      )}
    </section>
  );
}
