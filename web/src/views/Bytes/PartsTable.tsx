import { count, hex } from '../../model/words';
import { TextLink } from '../shared/buttons';
import { DataTable } from '../shared/DataTable';
import type { Place } from './usePlace';

/** The bytes on show as a table of fields, in words. */
export function PartsTable({ place: { chunks, cursor, pin, inside, pinPath } }: { place: Place }) {
  const plus = inside === null ? '' : '+';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="parts-table grows" aria-label="Fields, one a row" tabIndex={0} data-pages>
      <DataTable
        className="parts"
        rows={chunks.at(cursor)?.leaves ?? []}
        rowProps={({ path }) => ({ className: path === pin?.path ? 'pinned' : '' })}
        columns={[
          ['hex', ({ node }) => `${plus}${hex(node.offset)}`, 'mono'],
          ['decimal', ({ node }) => `${plus}${count(node.offset)}`, 'mono'],
          ['bytes', ({ node }) => count(node.bytes), 'mono'],
          [
            'field',
            ({ path, trail }) => (
              <TextLink onClick={() => pinPath(path)}>
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
