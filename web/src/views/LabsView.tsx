import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { LabFigure, LabInfo, LabReport, LabTable } from '../model/engine.generated';
import { capital, cellText, columnText, figure, labCsv, readLabs } from '../model/labs';
import type { Page } from '../model/page';
import { labPicture } from '../scene/labChart';
import type { Ask } from './ask';
import { LabForm } from './LabForm';
import { Lazy } from './Lazy';
import { lazyPart } from './lazyPart';
import { saveFile } from './saveFile';
import { useAnswer } from './useAnswer';

const drawing = lazyPart(() => import('./LabChart'));

interface Props {
  page: Pick<Page, 'busy' | 'reports'>;
  /** The lab on show; empty: the first one. */
  lab: string;
  ask: Ask;
  onPick(lab: string): void;
  onType(command: string): void;
  onStop(): void;
  onClose(): void;
}

/** Experiments: question, claim and what the engine's own bytes say about it. */
export function LabsView({ page, lab, ask, onPick, onType, onStop, onClose }: Props) {
  const listed = useAnswer(ask, 'lab', '', readLabs);
  const labs = listed.state === 'ready' ? listed.result : [];
  const shown = labs.find(({ id }) => id === lab) ?? labs[0];
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };
  return (
    <section className="labs-view" aria-label="Experiments" onKeyDown={close}>
      <nav className="labs-list" aria-label="All experiments">
        <button
          type="button"
          className="quiet back"
          onClick={onClose}
          title="Back to the picture (Esc)"
        >
          <span aria-hidden="true">←</span> Lab
        </button>
        <ul>
          {labs.map(({ id, title }) => (
            <li key={id}>
              <button
                type="button"
                aria-current={id === shown?.id ? 'page' : undefined}
                onClick={() => onPick(id)}
              >
                <b>{id}</b> {title}
                {page.reports.has(id) && <span className="ran"> · ran</span>}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      {listed.state === 'failed' && <p className="problem">{listed.message}</p>}
      {shown && (
        <LabPage
          key={shown.id}
          lab={shown}
          report={page.reports.get(shown.id) ?? null}
          busy={page.busy}
          onType={onType}
          onStop={onStop}
        />
      )}
    </section>
  );
}

interface LabPageProps {
  lab: LabInfo;
  report: LabReport | null;
  busy: Props['page']['busy'];
  onType(command: string): void;
  onStop(): void;
}

function LabPage({ lab, report, busy, onType, onStop }: LabPageProps) {
  const top = useRef<HTMLElement>(null);
  const [first] = useState(report);
  useEffect(() => {
    // A report that has just come is what was waited for.
    if (report !== null && report !== first) document.getElementById('lab-found')?.focus();
  }, [report, first]);
  return (
    <article className="lab-page" ref={top}>
      <h2>
        {lab.id}: {lab.title}
      </h2>
      <p className="question">{lab.question}</p>
      <dl className="lab-claim">
        {lab.claim !== '' && <Said name="Claim" text={lab.claim} source={lab.source} />}
        {lab.original !== '' && <Said name="Original program" text={lab.original} source="" />}
      </dl>
      <LabForm lab={lab} report={report} busy={busy} onType={onType} onStop={onStop} />
      {report && <Report report={report} />}
    </article>
  );
}

function Said({ name, text, source }: { name: string; text: string; source: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {text}
        {source !== '' && <span className="source"> — {source}</span>}
      </dd>
    </div>
  );
}

function Report({ report }: { report: LabReport }) {
  const { lab, findings, figures, tables, charts, command, place } = report;
  const name = `levelscope-${lab.id.toLowerCase()}`;
  return (
    <>
      <section className="lab-found" id="lab-found" tabIndex={-1} aria-label="What was found">
        {findings.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {place !== null && <p className="dim">Files were {place}.</p>}
      </section>
      {figures.length > 0 && <Figures figures={figures} />}
      {charts.length > 0 && (
        <Lazy part={drawing} name="charts">
          {({ LabChart }) =>
            charts.map((chart) => {
              const picture = labPicture(report, chart);
              return (
                picture && (
                  <LabChart
                    key={chart.title}
                    picture={picture}
                    name={`${name}-${chart.table + 1}`}
                  />
                )
              );
            })
          }
        </Lazy>
      )}
      {tables.map((table) => (
        <Rows key={table.title} table={table} />
      ))}
      <p className="lab-tools">
        <button
          type="button"
          className="quiet"
          onClick={() => saveFile(`${name}.csv`, new Blob([labCsv(tables)], { type: 'text/csv' }))}
        >
          Save CSV
        </button>
        <span>
          The same in a terminal: <code>{command}</code>
        </span>
      </p>
    </>
  );
}

const VERDICTS: Readonly<Record<LabFigure['verdict'], { sign: string; text: string }>> = {
  agrees: { sign: '✓', text: 'agrees with the original' },
  differs: { sign: '≠', text: 'differs from the original' },
  shown: { sign: '', text: '' },
};

function Figures({ figures }: { figures: readonly LabFigure[] }) {
  return (
    <div className="lab-rows">
      <table>
        <caption>Claim, original program and ours</caption>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">Claimed</th>
            <th scope="col">Original program</th>
            <th scope="col">Ours</th>
            <th scope="col">Compared</th>
          </tr>
        </thead>
        <tbody>
          {figures.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              <td>{row.claimed || '–'}</td>
              <td>{row.original || '–'}</td>
              <td className="ours">
                {figure(row.ours, row.digits)} {row.unit}
              </td>
              <td className={row.verdict}>
                <span aria-hidden="true">{VERDICTS[row.verdict].sign}</span>{' '}
                {VERDICTS[row.verdict].text}
                {row.note !== '' && <span className="dim"> {row.note}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Rows({ table }: { table: LabTable }) {
  const timed = table.columns.some((column) => column.timed);
  return (
    <div className="lab-rows">
      <table>
        <caption>
          {capital(table.title)}
          {timed && <span className="dim"> · times are those of this machine</span>}
        </caption>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th scope="col" key={column.name}>
                {columnText(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={row.join('\n')}>
              {row.map((cell, index) => {
                const column = table.columns[index];
                const isNumber = typeof cell === 'number';
                return (
                  <td key={column?.name ?? index} className={isNumber ? 'number' : undefined}>
                    {cellText(cell, column)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
