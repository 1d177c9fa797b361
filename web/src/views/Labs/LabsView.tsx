import { type ComponentProps, useEffect, useState } from 'react';
import type { LabFigure, LabInfo, LabReport, LabTable } from '../../model/engine.generated';
import { capital, cellText, columnText, labCsv, measured } from '../../model/labs';
import type { Page } from '../../model/page';
import { Charts } from '../Drawing/Charts';
import { BackButton } from '../shared/BackButton';
import { Quiet } from '../shared/buttons';
import { closesByEscape } from '../shared/closesByEscape';
import { useViews } from '../shared/contexts';
import { type Column, DataTable } from '../shared/DataTable';
import { Facts } from '../shared/Facts';
import { saveFile } from '../shared/saveFile';
import { useAnswer } from '../shared/useAnswer';
import { LabForm } from './LabForm';
import { SheetList } from './SheetList';
import { labPicture } from './scene';

interface Props {
  page: Pick<Page, 'busy' | 'reports'>;
  /** The lab on show; empty: the first one. */
  lab: string;
}

/** Experiments: question, claim and the answer of the engine's own bytes. */
export function LabsView({ page, lab }: Props) {
  const { experiment, closeFull } = useViews();
  const listed = useAnswer({ ask: 'labs' }, '');
  const labs = listed.state === 'ready' ? listed.result : [];
  const shown = labs.find(({ id }) => id === lab) ?? labs[0];
  return (
    <section className="labs-view" aria-label="Experiments" onKeyDown={closesByEscape(closeFull)}>
      <SheetList
        label="All experiments"
        sheets={labs.map(({ id, title }) => ({
          id,
          mark: id,
          words: <Title title={title} report={page.reports.get(id)} />,
        }))}
        shown={shown?.id ?? null}
        onShow={experiment}
      >
        <BackButton />
      </SheetList>
      {listed.state === 'failed' && <p className="problem">{listed.message}</p>}
      {shown && (
        <LabPage
          key={shown.id}
          lab={shown}
          report={page.reports.get(shown.id) ?? null}
          busy={page.busy}
        />
      )}
    </section>
  );
}

/** The title of an experiment, and whether it ran. */
function Title({ title, report }: Pick<LabInfo, 'title'> & { report: LabReport | undefined }) {
  return (
    <>
      {title}
      {report && <span className="ran"> · {report.stopped ? 'stopped' : 'ran'}</span>}
    </>
  );
}

function LabPage({ lab, report, busy }: ComponentProps<typeof LabForm>) {
  const [first] = useState(report);
  useEffect(() => {
    // A new report gets the focus, because the user waited for it.
    if (report !== null && report !== first) document.getElementById('lab-found')?.focus();
  }, [report, first]);
  return (
    <article
      className="lab-page widens scrolls"
      aria-label={`${lab.id}: ${lab.title}`}
      data-pages
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <h2>
        {lab.id}: {lab.title}
      </h2>
      <p className="question">{lab.question}</p>
      <Facts
        rows={[
          lab.claim !== '' && ['Claim', withFlags(lab.claim)],
          lab.source !== null && ['Text', <Source key="source" of={lab.source} />],
          lab.original !== '' && ['Original program', withFlags(lab.original)],
        ]}
      />
      <LabForm lab={lab} report={report} busy={busy} />
      {report?.stopped && (
        <p className="problem" role="status">
          The last run was stopped, and a stopped run has no result: an experiment is summed up at
          its end.
          {report.findings.length > 0 && ' Below is what the run before it found.'}
        </p>
      )}
      {report && !(report.stopped && report.findings.length === 0) && <Report report={report} />}
    </article>
  );
}

function Source({ of: { authors, title, place } }: { of: NonNullable<LabInfo['source']> }) {
  return (
    <>
      {authors}: <cite>{title}</cite>; {place}
    </>
  );
}

/** An option of a command stays on one line. */
function withFlags(text: string) {
  return text.split(/(--[a-z-]+(?: \d+)?)/).map((part) =>
    part.startsWith('--') ? (
      <code key={part} className="flag">
        {part}
      </code>
    ) : (
      part
    ),
  );
}

function Report({ report }: { report: LabReport }) {
  const { lab, findings, figures, tables, charts, command, place } = report;
  const name = `levelscope-${lab.id.toLowerCase()}`;
  return (
    <>
      <section
        className="note-box is-good lab-found"
        id="lab-found"
        tabIndex={-1}
        aria-label="What was found"
      >
        {findings.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {place !== null && <p className="dim">Files were {place}.</p>}
      </section>
      {figures.length > 0 && <Figures figures={figures} />}
      {charts.length > 0 && (
        <Charts
          charts={charts.flatMap((chart) => {
            const picture = labPicture(report, chart);
            return picture ? { picture, name: `${name}-${chart.table + 1}` } : [];
          })}
        />
      )}
      {tables.map((table) => (
        <Rows key={table.title} table={table} />
      ))}
      <p className="lab-tools in-row wraps fine">
        <Quiet
          onClick={() => saveFile(`${name}.csv`, new Blob([labCsv(tables)], { type: 'text/csv' }))}
        >
          Save CSV
        </Quiet>
        <span>
          The same in a terminal: <code>{command}</code>
        </span>
      </p>
    </>
  );
}

type Verdict = LabFigure['claimVerdict'] | LabFigure['originalVerdict'];

/** A verdict in words, except `none`. */
const VERDICTS: Readonly<Record<Exclude<Verdict, 'none'>, { sign: string; text: string }>> = {
  met: { sign: '✓', text: 'met' },
  notMet: { sign: '✗', text: 'not met' },
  agrees: { sign: '✓', text: 'agrees' },
  differs: { sign: '≠', text: 'differs' },
  notComparable: { sign: '', text: 'not judged' },
};

/** The claim about a figure, and how ours compares with it. */
function judged(figure: string, verdict: Verdict, none: string) {
  if (verdict === 'none') return <span className="dim">{none}</span>;
  const { sign, text } = VERDICTS[verdict];
  return (
    <span className={verdict}>
      <span>{figure}</span>{' '}
      <span className="lab-verdict dim">
        <span aria-hidden="true">{sign}</span> {text}
      </span>
    </span>
  );
}

function Figures({ figures }: { figures: readonly LabFigure[] }) {
  return (
    <div className="lab-rows">
      <DataTable
        className=""
        caption="Claim, original program and ours"
        rows={figures}
        columns={[
          ['Figure', FigureName, 'head'],
          ['Ours', (row) => <b>{measured(row)}</b>],
          ['Claim', (row) => judged(row.claimed, row.claimVerdict, 'no claim')],
          [
            'Original program',
            (row) => judged(row.original, row.originalVerdict, 'no original figure'),
          ],
        ]}
      />
    </div>
  );
}

function FigureName({ name, note }: LabFigure) {
  return (
    <>
      {name}
      {note !== '' && <span className="note dim"> {note}</span>}
    </>
  );
}

function Rows({ table: { title, columns, rows } }: { table: LabTable }) {
  const timed = columns.some((column) => column.timed);
  const note = timed && <span className="dim"> · times are those of this machine</span>;
  return (
    <div className="lab-rows">
      <DataTable
        className=""
        caption={
          <>
            {capital(title)}
            {note}
          </>
        }
        rows={rows}
        columns={columns.map((column, place): Column<(typeof rows)[number]> => {
          const isText = rows.some((row) => typeof row[place] === 'string');
          const cell = (row: (typeof rows)[number]) => cellText(row[place] ?? null, column);
          return [columnText(column), cell, isText ? undefined : 'number'];
        })}
      />
    </div>
  );
}
