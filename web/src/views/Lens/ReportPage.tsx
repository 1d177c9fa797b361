import { useMemo, useState } from 'react';
import { messageOf } from '../../model/failures';
import { counted } from '../../model/words';
import { Charts } from '../Drawing/Charts';
import { Action, TextLink } from '../shared/buttons';
import { DataTable, type Column as LineOf } from '../shared/DataTable';
import { MoreLines, useFirst } from '../shared/MoreLines';
import { saveFile } from '../shared/saveFile';
import { useDirectory } from './asking';
import type { Cell, Column, Report, Table } from './scene/answers';
import { chartsOf } from './scene/chart';
import { cellWords, tied, unitWords } from './scene/words';

/** The actions of rows; `family`: the name of the family in a row, if it has one. */
export interface Links {
  /** Shows a step of the history. */
  onStep(step: number, family?: string): void;
  /** Shows a table among the levels. */
  onTable(number: number, family?: string): void;
}

interface Props extends Links {
  report: Report;
  onCsv(): Promise<string>;
}

/** An answered question: the sentence, the pictures, the figures, and the rows that they come from. */
export function ReportPage({ report, onCsv, onStep, onTable }: Props) {
  const { id, question, answer, figures, table, missing } = report;
  const { hasFamilies } = useDirectory();
  const shownFigures = hasFamilies ? figures : figures.filter(({ label }) => label !== 'Family');
  const [problem, setProblem] = useState<string | null>(null);
  const save = async () => {
    try {
      saveFile(`${id}.csv`, new Blob([await onCsv()], { type: 'text/csv' }));
      setProblem(null);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <>
      <h2>{question}</h2>
      <p className="note-box lens-answer" role="status">
        {tied(answer)}
      </p>
      <div className="lens-evidence-row wraps">
        <Pictures report={report} onStep={onStep} />
        {shownFigures.length > 0 && (
          <DataTable
            className="chart-table lens-figures"
            caption="Figures"
            rows={shownFigures}
            columns={[
              ['', ({ label }) => label, 'head'],
              ['', FigureValue, 'number'],
            ]}
          />
        )}
      </div>
      {missing.length > 0 && (
        <ul className="dim">
          {missing.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {table.columns.length > 0 && table.rows.length > 0 && (
        <>
          <div className="lens-rows-head in-row">
            <h3>Where the figures come from</h3>
            <Action onClick={() => void save()}>Save as CSV</Action>
            {problem !== null && <span className="problem">{problem}</span>}
          </div>
          <Rows key={question + answer} table={table} onStep={onStep} onTable={onTable} />
        </>
      )}
    </>
  );
}

function FigureValue({ label, value, unit }: Report['figures'][number]) {
  return (
    <>
      {cellWords(value, { name: label, unit })}{' '}
      <span className="dim">{unitWords(unit, value)}</span>
    </>
  );
}

/** The pictures of an answer; where places are steps, a point leads to its step. */
function Pictures({ report, onStep }: { report: Report; onStep: Links['onStep'] }) {
  const { id, pictures, table } = report;
  const charts = useMemo(() => {
    const gone = missingFiles(table);
    return pictures.flatMap((picture) => {
      const isOfSteps = picture.x.label === 'step';
      return chartsOf(picture, gone).map((chart) => ({ chart, isOfSteps }));
    });
  }, [pictures, table]);
  if (charts.length === 0) return null;
  return (
    <div className="lens-pictures">
      <Charts
        charts={charts.map(({ chart, isOfSteps }, index) => ({
          ...{ picture: chart, name: `levelscope-${id}-${index + 1}` },
          onPick: isOfSteps ? onStep : undefined,
        }))}
      />
    </div>
  );
}

/** Numbers of the blob files whose rows mark the file as missing. */
function missingFiles({ columns, rows }: Table): ReadonlySet<string> {
  const place = (wanted: string) => columns.findIndex(({ name }) => name === wanted);
  const [number, there] = [place('blob file'), place('file is there')];
  return new Set(rows.filter((row) => row[there] === 'no').map((row) => String(row[number])));
}

function Rows({ table, onStep, onTable }: Links & { table: Table }) {
  const { columns, rows } = useDirectory().hasFamilies ? table : withoutFamily(table);
  const first = useFirst(rows);
  const about = columns.findIndex(({ name }) => name === 'family');
  return (
    <div className="lens-rows">
      <DataTable
        caption={<span className="visually-hidden">{counted(rows.length, 'row')}</span>}
        rows={first.lines}
        columns={columns.map((column, place): LineOf<Cell[]> => {
          const known = rows.find((row) => row[place] !== null)?.[place];
          // A moment takes two lines rather than half of the width.
          const kind = column.unit.includes('since 1970') ? 'number time' : 'number';
          const cell = (row: Cell[]) => {
            const of = { cell: row[place] ?? null, column, family: row[about] ?? null };
            return <CellView {...of} onStep={onStep} onTable={onTable} />;
          };
          return [column.name, cell, typeof known === 'number' ? kind : undefined];
        })}
      />
      <MoreLines first={first} nouns="rows" />
    </div>
  );
}

/** The same rows, for an engine that has no column families. */
function withoutFamily({ columns, rows }: Table): Table {
  const isShown = columns.map(({ name }) => name !== 'family');
  const shown = <Item,>(items: readonly Item[]) => items.filter((_, place) => isShown[place]);
  return { columns: shown(columns), rows: rows.map(shown) };
}

/** A cell; steps and tables lead to the levels. */
function CellView(props: Links & { cell: Cell; column: Column; family: Cell }) {
  const { cell, column, family, onStep, onTable } = props;
  const { name } = column;
  const words = cellWords(cell, column);
  const goal = name === 'step' ? onStep : name === 'table' ? onTable : null;
  if (goal === null || typeof cell !== 'number') return words;
  return (
    <TextLink onClick={() => (typeof family === 'string' ? goal(cell, family) : goal(cell))}>
      {name === 'table' ? String(cell) : words}
    </TextLink>
  );
}
