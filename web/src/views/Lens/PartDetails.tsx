import { partQuery } from '../../model/ask';
import { hexByte } from '../../model/bytes';
import type { KeyFact, ShownKey as StoredBytes } from '../../model/engine.generated';
import { escapeBytes, headBytes } from '../../model/keys';
import { count, size } from '../../model/words';
import { batchText, kindText } from '../Stage/scene/inside';
import { Action } from '../shared/buttons';
import { Facts } from '../shared/Facts';
import { useAnswer } from '../shared/useAnswer';
import { useDirectory } from './asking';
import { KeyText, ValueText } from './ShownText';
import type { ShownKey } from './scene/answers';

/** Where to go on from an entry. */
export interface WaysOn {
  /** Shows which tables cover a key. */
  onCover(key: string): void;
  /** Shows the bytes of a file, or of a part of it. */
  onBytes(address: string): void;
  /** Reads the family from a key on. */
  onScan(from: string): void;
}

/** The selected part of a file: of an entry its key, and what it does to it. */
export function PartDetails(props: WaysOn & { file: string; path: string }) {
  const { file, path, onCover, onBytes, onScan } = props;
  const { hasFamilies } = useDirectory();
  const answer = useAnswer(partQuery(file, path, 0, 1));
  if (answer.state === 'failed') return <p className="problem">{answer.message}</p>;
  const trail = answer.last?.part.trail ?? [];
  const step = trail.at(-1);
  if (!step) return null;
  const { node, decoded } = step;
  const entry = node.fact?.fact === 'key' ? node.fact : null;
  const key = entry && shownOf(entry.key);
  const content = decoded ? ' of the decoded content' : '';
  return (
    <section aria-label="Selected part">
      <h2>
        {node.name} <small>{entry?.ofEntry ? kindOf(entry) : null}</small>
      </h2>
      {entry === null && node.value !== '' && <p>{node.value}</p>}
      <Facts
        rows={[
          key !== null && ['Key', <KeyText key="key" shown={key} />],
          entry !== null && entry.sequence !== null && ['Sequence', count(entry.sequence)],
          hasFamilies && entry !== null && entry.family !== null && ['Family', entry.family],
          entry !== null && entry.value !== null && ['Value', valueText(entry.value)],
          [
            'In',
            trail
              .slice(0, -1)
              .map(({ node }) => node.name)
              .join(', '),
          ],
          ['Place', `${count(node.bytes)} B at offset ${count(node.offset)}${content}`],
        ]}
      />
      <div className="commands">
        <Action onClick={() => onBytes(`${file}/${path}`)}>Its bytes</Action>
        {key?.leftOut === 0 && (
          <>
            <Action onClick={() => onCover(key.hex)}>What covers its key?</Action>
            <Action onClick={() => onScan(key.hex)}>Read from its key</Action>
          </>
        )}
      </div>
    </section>
  );
}

/** Its kind; of several entries, of which it has the first, their number. */
function kindOf({ tombstone, kind, batch }: KeyFact): string {
  if (batch !== null) return `${batchText(batch)}, the first of them`;
  return kindText({ entry: tombstone ? 'delete' : 'put', kind });
}

/** A value that was not read has only a length. */
function valueText(value: StoredBytes) {
  if (value.head === '' && value.bytes > 0) return `${size(value.bytes)}, not read`;
  return <ValueText shown={shownOf(value)} />;
}

function shownOf(stored: StoredBytes): ShownKey {
  const bytes = headBytes(stored);
  const hex = Array.from(bytes, hexByte).join('');
  return { text: escapeBytes(bytes), hex, leftOut: stored.bytes - bytes.length };
}
