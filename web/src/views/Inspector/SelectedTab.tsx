import type { ReactNode } from 'react';
import { fileName, fileOfSelection, isIn, levelOf } from '../../model/files';
import { openedOf, type Selection } from '../../model/selection';
import type { Page } from '../../model/shown';
import { TextLink } from '../shared/buttons';
import { useSelection, useViews } from '../shared/contexts';
import { DamageNote } from '../shared/DamageNote';
import { LevelFacts, LogFacts, MemtableFacts } from '../shared/Facts';
import { TableFacts, WritingFacts } from './TableFacts';

interface Props {
  page: Page;
  selection: Selection | null;
}

/** The facts about the selected object, and where it is damaged. */
export function SelectedTab(props: Props) {
  const { page, selection } = props;
  const { lookInside } = useViews();
  const file = fileOfSelection(selection, page.view);
  const inside = openedOf(page.selection);
  const damages = file === null ? undefined : page.damages.get(file);
  return (
    <>
      {file !== null && damages && selection?.kind !== 'memtable' && (
        <DamageNote file={file} damages={damages} />
      )}
      <Chosen {...props} />
      {inside !== null && inside !== page.opened && isIn(page.view, inside) && (
        <TextLink onClick={() => lookInside(inside)}>Look inside</TextLink>
      )}
    </>
  );
}

function Chosen({ page, selection }: Props) {
  if (!selection) return <Nothing page={page} />;
  const { kind, number } = selection;
  return (
    factsOf(page, selection) || (
      <p className="dim">
        {kind} {number} is no longer there.
      </p>
    )
  );
}

/** The facts about the selected object; nothing if it is not there. */
function factsOf(page: Page, { kind, number, block }: Selection): ReactNode {
  const { view } = page;
  switch (kind) {
    case 'memtable': {
      const memtable = view.memtables.find((known) => known.memtable === number);
      return memtable && <MemtableFacts memtable={memtable} view={view} />;
    }
    case 'wal': {
      const wal = view.wals.find((known) => known.wal === number);
      return wal && <LogFacts wal={wal} view={view} />;
    }
    case 'level': {
      const level = view.levels[number];
      return level && <LevelFacts level={level} />;
    }
    case 'table':
      return chosenTable(page, number, block);
    case 'opened':
      return null;
    default:
      return (
        <>
          <h2>
            <code>{fileName(kind, number)}</code>
          </h2>
          <p className="dim">{OTHERS[kind]}</p>
        </>
      );
  }
}

/** Sentences about the files that have no facts of their own. */
const OTHERS = {
  current: 'Names the manifest that counts; its two slots are under Bytes.',
  lock: 'Is only held while the database is open; it has no content.',
  manifest: 'The log of changes of the set of tables; its parts are under Bytes.',
};

/** A table that is being written, or one that readers use; `null`: there is none. */
function chosenTable({ view, writing }: Page, number: number, block: number | null) {
  const written = writing.get(number);
  if (written) return <WritingFacts table={written} view={view} />;
  const level = levelOf(number, view);
  const info = level?.tables.find((table) => table.table === number);
  if (!level || !info) return null;
  return <TableFacts info={info} level={level.score.level} view={view} block={block} />;
}

function Nothing({ page }: Pick<Props, 'page'>) {
  const { select } = useSelection();
  const { view } = page;
  const active = view.memtables[0];
  return (
    <>
      <p>Nothing is selected. Click an object of the picture, or a link in the terminal.</p>
      <p className="dim">
        With the keyboard: go to the picture, move with the arrow keys, press Enter.
      </p>
      {active && (
        <p>
          <TextLink onClick={() => select(`memtable:${active.memtable}`)}>
            Select memtable {active.memtable}
          </TextLink>
        </p>
      )}
    </>
  );
}
