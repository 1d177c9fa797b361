import './StageTable.css';

import { useMemo } from 'react';
import { damageText } from '../../model/damage';
import type { Page } from '../../model/page';
import { TextLink } from '../shared/buttons';
import { useSelection } from '../shared/contexts';
import { DataTable } from '../shared/DataTable';
import { writesText } from '../shared/stallText';
import { stageScene } from './scene/stage';
import { transactionText } from './scene/transactions';
import { Unopened } from './Unopened';

const TABLES_MAX = 300;

/** The same as the picture, as tables of text. */
export function StageTable({ page }: { page: Page }) {
  const { view, writing } = page;
  const scene = useMemo(() => stageScene(view, writing, 2000, 480), [view, writing]);
  const writes = writesText(view);
  if (page.unopened !== null) return <Unopened page={page} />;
  return (
    <section className="stage-table" aria-label="The tree as tables" id="stage" tabIndex={-1}>
      {writes && (
        <p>
          {writes.words}: {writes.why}.
        </p>
      )}
      {view.transactions.length > 0 && (
        <DataTable
          caption="Open transactions"
          rows={view.transactions}
          columns={[
            ['', ({ transaction }) => `T${transaction}`, 'head'],
            ['', (open) => transactionText(open).replace(/^transaction \d+, /, '')],
          ]}
        />
      )}
      <Rows
        caption="Memory"
        page={page}
        rows={scene.memory.memtables.map(({ id, name, memtable, words }) => ({
          ...{ id, name, text: words },
          state: memtable.immutable ? 'immutable' : 'active',
        }))}
      />
      <Rows
        caption="Logs"
        page={page}
        rows={scene.memory.wals.map(({ id, title, wal, detail }) => ({
          ...{ id, name: title, text: detail },
          state: wal.closed ? 'closed' : 'active',
        }))}
      />
      {scene.levels.map(({ id, title, detail, note, tables }) => (
        <Rows
          key={id}
          caption={`${title}: ${detail} ${note?.text ?? ''}`}
          page={page}
          rows={tables.slice(0, TABLES_MAX).map((table) => ({
            id: table.id,
            name: table.id.replace(':', ' '),
            text: table.label().replace(/^table \d+, /, ''),
          }))}
        />
      ))}
    </section>
  );
}

interface RowsProps {
  page: Page;
  caption: string;
  rows: readonly { id: string; name: string; state?: string; text: string }[];
}

/** Objects of one kind; the name of each selects it. */
function Rows({ caption, rows, page }: RowsProps) {
  const { select } = useSelection();
  const name = ({ id, name }: RowsProps['rows'][number]) => (
    <TextLink aria-pressed={page.selection === id} data-object={id} onClick={() => select(id)}>
      {name}
    </TextLink>
  );
  const content = ({ id, text }: RowsProps['rows'][number]) => {
    const damage = damageText(page.damages.get(id));
    return (
      <>
        {text}
        {damage && <strong className="bad"> ▲ {damage}</strong>}
      </>
    );
  };
  return (
    <DataTable
      caption={caption}
      rows={rows}
      columns={[
        ['', name, 'head'],
        ['', ({ state }) => state],
        ['', content],
      ]}
    />
  );
}
