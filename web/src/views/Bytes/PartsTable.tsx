import type { Leaf } from '../../model/bytes';
import { count, hex } from '../../model/words';
import { TextLink } from '../shared/buttons';
import { DataTable } from '../shared/DataTable';

interface Props {
  leaves: readonly Leaf[];
  pinned: string | null;
  decoded: boolean;
  onPin(path: string): void;
}

/** The bytes on show as a table of fields, in words. */
export function PartsTable({ leaves, pinned, decoded, onPin }: Props) {
  const plus = decoded ? '+' : '';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="parts-table grows" aria-label="Fields, one a row" tabIndex={0} data-pages>
      <DataTable
        className="parts"
        rows={leaves}
        rowProps={({ path }) => ({ className: path === pinned ? 'pinned' : '' })}
        columns={[
          ['hex', ({ node }) => `${plus}${hex(node.offset)}`, 'mono'],
          ['decimal', ({ node }) => `${plus}${count(node.offset)}`, 'mono'],
          ['bytes', ({ node }) => count(node.bytes), 'mono'],
          [
            'field',
            ({ path, trail }) => (
              <TextLink onClick={() => onPin(path)}>
                {trail.map(({ name }) => name).join(' › ')}
              </TextLink>
            ),
          ],
          [
            'value',
            ({ node }) => (
              <code className={node.kind === 'damaged' ? 'problem' : ''}>{node.value}</code>
            ),
          ],
        ]}
      />
    </section>
  );
}
