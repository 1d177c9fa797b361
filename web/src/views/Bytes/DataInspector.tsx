import { asHexText, asRustArray, readings, textOf } from '../../model/bytes';
import { type Fact, SHOWN_KEY_BYTES_MAX } from '../../model/engine.generated';
import { keyParts } from '../../model/keys';
import { count, counted, hex } from '../../model/words';
import { Action, TextLink } from '../shared/buttons';
import { useCommands } from '../shared/contexts';
import { DataTable } from '../shared/DataTable';
import { Facts } from '../shared/Facts';
import type { useByteSearch } from './useByteSearch';
import type { Pin, Place } from './usePlace';

interface Props {
  place: Place;
  /** Whether there is a command that damages a byte. */
  canCorrupt: boolean;
  onCopy: ReturnType<typeof useByteSearch>['copy'];
}

/** Most pinned bytes that are read as numbers and text. */
const READ_MAX = 256;

/** The pinned bytes, in all interpretations. */
export function DataInspector(props: Props) {
  const { pin, chunks, cursor } = props.place;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="bytes-data in-column" aria-label="Data inspector" tabIndex={0}>
      {pin ? (
        <Pinned {...props} pin={pin} />
      ) : (
        <>
          <h2>{chunks.leaf(cursor)?.node.name ?? 'Nothing is pinned'}</h2>
          <p className="dim">
            Click a byte, a row of the tree or a part of the ribbon. With the keyboard: arrow keys,
            then Enter; Shift and arrow keys choose bytes; g goes to an offset.
          </p>
        </>
      )}
    </section>
  );
}

function Pinned({ place, pin, canCorrupt, onCopy }: Props & { pin: Pin }) {
  const { type } = useCommands();
  const { span, trail } = pin;
  const node = pin.path === null ? undefined : trail.at(-1)?.node;
  const length = span.end - span.from;
  const last = Math.max(span.end - 1, span.from);
  const plus = pin.decoded ? '+' : '';
  const bytes = place.chunks.bytes(span.from, Math.min(span.end, span.from + READ_MAX));
  return (
    <>
      <Trail place={place} pin={pin} />
      <h2>{node ? node.name : counted(length, 'byte')}</h2>
      {node && node.value !== '' && <p className="value mono">{node.value}</p>}
      <Facts
        rows={[
          [
            'Offset',
            <span key="at" className="mono">
              {plus}
              {hex(span.from)} – {plus}
              {hex(last)}
            </span>,
          ],
          ['Decimal', `${count(span.from)} – ${count(last)}`],
          ['Length', `${count(length)} B`],
          node !== undefined && ['Kind', node.kind],
        ]}
      />
      {node?.fact && <FactView fact={node.fact} place={place} />}
      {bytes.length > 0 && <Readings bytes={bytes} />}
      <div className="commands">
        <Action onClick={() => onCopy(asHexText)}>Copy as hex</Action>
        <Action onClick={() => onCopy(asRustArray)}>Copy as Rust array</Action>
        {canCorrupt && !pin.decoded && (
          <Action className="danger-ink" onClick={() => type(`corrupt ${place.id} ${span.from} 1`)}>
            Flip a bit here
          </Action>
        )}
      </div>
    </>
  );
}

/** The bytes as numbers of every width, and as text. */
function Readings({ bytes }: { bytes: Uint8Array }) {
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

/** The parts that have the pinned bytes. */
function Trail({ place, pin }: { place: Place; pin: Pin }) {
  const steps = pin.trail.slice(1, pin.path === null ? undefined : -1);
  if (steps.length === 0) return null;
  return (
    <nav className="trail wraps" aria-label="Parts that have these bytes">
      {steps.map(({ path, node }) => (
        <TextLink key={path} onClick={() => place.pinPath(path)}>
          {node.name}
        </TextLink>
      ))}
    </nav>
  );
}

function word(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`;
}

interface FactProps<Of = Fact> {
  fact: Of;
  place: Place;
}

function FactView({ fact, place }: FactProps) {
  switch (fact.fact) {
    case 'checksum':
      return <Checksum fact={fact} place={place} />;
    case 'key':
      return <KeyFact fact={fact} />;
    case 'place':
      return (
        <p>
          Leads to{' '}
          <TextLink onClick={() => place.pinAt(fact.offset)}>
            {hex(fact.offset)} ({count(fact.offset)})
          </TextLink>
        </p>
      );
  }
}

type FactOf<Name extends Fact['fact']> = Extract<Fact, { fact: Name }>;

function Checksum({ fact, place }: FactProps<FactOf<'checksum'>>) {
  const right = fact.stored === fact.computed;
  const covers = (
    <TextLink
      key="covers"
      onClick={() => place.pinRange(fact.from, fact.from + fact.bytes - 1, null)}
    >
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
  const { restart, sequence, tombstone, kind } = fact;
  const { shared, rest } = keyParts(fact, SHOWN_KEY_BYTES_MAX);
  return (
    <section className="note-box" aria-label="Key">
      <h3>Key</h3>
      <p className="key-line mono">
        {shared !== '' && (
          <span className="shared dim" title="the same as in the key before: not stored again">
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
            ['Kind', tombstone ? `${kind ?? 'delete'} × (a tombstone)` : (kind ?? 'put')],
          ]}
        />
      )}
    </section>
  );
}
