import './StageTable.css';

import { useMemo } from 'react';
import { damageText } from '../../model/damage';
import type { Page } from '../../model/page';
import { Unopened } from '../Focus/Unopened';
import { TextLink } from '../shared/buttons';
import { useSelection } from '../shared/contexts';
import { writesText } from '../shared/stallText';
import { stageScene } from './scene/stage';
import { transactionText } from './scene/transactions';

interface Props {
  page: Pick<
    Page,
    'view' | 'writing' | 'selection' | 'damages' | 'unopened' | 'branches' | 'branch'
  >;
}

const TABLES_MAX = 300;

/** The same as the picture, as tables of text. */
export function StageTable({ page }: Props) {
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
      {view.transactions.length > 0 && <Transactions view={view} />}
      <table>
        <caption>Memory</caption>
        <tbody>
          {scene.memory.memtables.map((shape) => (
            <tr key={shape.id}>
              <th scope="row">
                <Named id={shape.id} text={shape.title} page={page} />
              </th>
              <td>{shape.memtable.immutable ? 'immutable' : 'active'}</td>
              <td>{shape.detail}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <caption>Logs</caption>
        <tbody>
          {scene.memory.wals.map((shape) => (
            <tr key={shape.id}>
              <th scope="row">
                <Named id={shape.id} text={shape.title} page={page} />
              </th>
              <td>{shape.wal.closed ? 'closed' : 'active'}</td>
              <td>
                {shape.detail}
                <Damaged id={shape.id} page={page} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {scene.levels.map((row) => (
        <table key={row.id}>
          <caption>
            {row.title}: {row.detail} {row.note?.text}
          </caption>
          <tbody>
            {row.tables.slice(0, TABLES_MAX).map((table) => (
              <tr key={table.id}>
                <th scope="row">
                  <Named id={table.id} text={table.id.replace(':', ' ')} page={page} />
                </th>
                <td colSpan={2}>
                  {table.label().replace(/^table \d+, /, '')}
                  <Damaged id={table.id} page={page} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  );
}

function Transactions({ view }: Pick<Props['page'], 'view'>) {
  return (
    <table>
      <caption>Open transactions</caption>
      <tbody>
        {view.transactions.map((open) => (
          <tr key={open.transaction}>
            <th scope="row">T{open.transaction}</th>
            <td colSpan={2}>{transactionText(open).replace(/^transaction \d+, /, '')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ObjectProps extends Props {
  id: string;
}

/** The name of an object, which selects it. */
function Named({ id, text, page }: ObjectProps & { text: string }) {
  const { select } = useSelection();
  return (
    <TextLink aria-pressed={page.selection === id} data-object={id} onClick={() => select(id)}>
      {text}
    </TextLink>
  );
}

function Damaged({ id, page }: ObjectProps) {
  const text = damageText(page.damages.get(id));
  return text && <strong className="bad"> ▲ {text}</strong>;
}
