import { count, counted, joined, size } from '../../model/words';
import { Quiet } from '../shared/buttons';
import { Segments } from '../shared/Segments';
import type { Levels } from './scene/answers';
import { extremesOf, SHADES, type Shade } from './scene/shades';

interface Props {
  shade: Shade;
  /** `null` until it arrives. */
  answer: Levels | null;
  asTable: boolean;
  onShade(of: Shade['of']): void;
  onAsTable(asTable: boolean): void;
}

/** The answer at this step, the choice of shades, and the switch to a table. */
export function ShadeBar(props: Props) {
  const { shade, answer, asTable, onShade, onAsTable } = props;
  const scale = answer && shade.scale(extremesOf(answer));
  return (
    <div className="lens-shades in-row rigid fine">
      <Segments legend="Tables are shaded by" choices={SHADES} chosen={shade.of} onChoose={onShade}>
        <span className="lens-shade-word" aria-hidden="true">
          shaded by
        </span>
      </Segments>
      {scale && (
        <span className="lens-scale in-row rigid">
          {scale.light} <i aria-hidden="true" /> {scale.dark}
          {answer && hasUnknown(answer, shade) && (
            <>
              <i className="is-unknown" aria-hidden="true" /> not known
            </>
          )}
        </span>
      )}
      <span className="lens-total clipped dim spacer">{answer && totals(answer)}</span>
      <Quiet
        aria-pressed={asTable}
        title="The same state as tables of text"
        onClick={() => onAsTable(!asTable)}
      >
        {asTable ? 'Picture' : 'As table'}
      </Quiet>
    </div>
  );
}

/** Whether a table has no shade, because its figure is not known. */
function hasUnknown(answer: Levels, shade: Shade): boolean {
  const extremes = extremesOf(answer);
  const tables = answer.levels.flatMap((level) => level.tables);
  return tables.some((table) => shade.darkness(table, extremes) === null);
}

function totals({ levels }: Levels): string {
  const tables = levels.flatMap((level) => level.tables);
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  const fresh = tables.filter((table) => table.isNew).length;
  const all = `${counted(tables.length, 'table')}, ${size(bytes)}`;
  return joined([all, fresh > 0 && `${count(fresh)} new`], ' · ');
}
