import './StageTable.css';

import { useMemo } from 'react';
import { damageText } from '../../model/damage';
import type { Page } from '../../model/page';
import { useSelection } from '../shared/contexts';
import { writesText } from '../shared/stallText';
import { stageScene } from './scene/stage';
import { transactionText } from './scene/transactions';

interface Props {
  page: Pick<Page, 'view' | 'writing' | 'selection' | 'damages'>;
}

const TABLES_MAX = 300;

/** The same as the picture, as tables of text. */
export function StageTable({ page }: Props) {
  const { select } = useSelection();
  const { view, writing, selection, damages } = page;
  const scene = useMemo(() => stageScene(view, writing, 2000, 480), [view, writing]);
  const writes = writesText(view);
  const button = (id: string, text: string) => (
    <button
      type="button"
      className="link"
      aria-pressed={selection === id}
      data-object={id}
      onClick={() => select(id)}
    >
      {text}
    </button>
  );
  const damage = (id: string) => {
    const text = damageText(damages.get(id));
    return text && <strong className="bad"> ▲ {text}</strong>;
  };
  return (
    <section className="stage-table" aria-label="The tree as tables" id="stage" tabIndex={-1}>
      {writes && (
        <p>
          {writes.words}: {writes.why}.
        </p>
      )}
      {view.transactions.length > 0 && (
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
      )}
      <table>
        <caption>Memory</caption>
        <tbody>
          {scene.memory.memtables.map((shape) => (
            <tr key={shape.id}>
              <th scope="row">{button(shape.id, shape.title)}</th>
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
              <th scope="row">{button(shape.id, shape.title)}</th>
              <td>{shape.wal.closed ? 'closed' : 'open'}</td>
              <td>
                {shape.detail}
                {damage(shape.id)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {scene.levels.map((row) => (
        <table key={row.id}>
          <caption>
            {row.title}: {row.detail} {row.note}
          </caption>
          <tbody>
            {row.tables.slice(0, TABLES_MAX).map((table) => (
              <tr key={table.id}>
                <th scope="row">{button(table.id, table.id.replace(':', ' '))}</th>
                <td colSpan={2}>
                  {table.label().replace(/^table \d+, /, '')}
                  {damage(table.id)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  );
}
