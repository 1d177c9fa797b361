import { useMemo, useState } from 'react';
import type { Sample } from '../../model/engine.generated';
import { historyOf, type Page } from '../../model/page';
import { eraAt } from '../../model/timelineMarks';
import { count } from '../../model/words';
import { Charts } from '../Drawing/Charts';
import { Quiet, TextLink } from '../shared/buttons';
import { useTime } from '../shared/contexts';
import { type Column, DataTable } from '../shared/DataTable';
import { Command } from '../shared/Facts';
import { useAnswer } from '../shared/useAnswer';
import { CHARTS, type ChartKind, chartPicture, figureText, nowText } from './scene';

const ROWS_MAX = 200;

/** Amplification, bytes of each level and stalls over the steps of a database; each point leads to its step. */
export function ChartsTab({ page }: { page: Page }) {
  const all = historyOf(page).samples;
  const { go } = useTime();
  const [asTable, setAsTable] = useState(false);
  const { place } = page;
  const { from, to } = eraAt(page.marks, place.step, page.last);
  const samples = useMemo(
    () => all.filter(({ step }) => step >= from && step <= to),
    [all, from, to],
  );
  const charts = useMemo(
    () => CHARTS.map((kind) => ({ kind, picture: chartPicture(kind, samples, { from, to }) })),
    [samples, from, to],
  );
  const answer = useAnswer({ ask: 'stats' });
  const now = (kind: ChartKind) => {
    if (answer.state === 'ready') return nowText(kind, answer.result);
    return answer.state === 'failed' ? '–' : '…';
  };
  const begin = samples[0]?.step;
  if (begin === undefined) return <NoFigures step={place.step} />;
  return (
    <div className="charts">
      <div className="chart-tools">
        <Quiet onClick={() => setAsTable(!asTable)}>{asTable ? 'As picture' : 'As table'}</Quiet>
        <Command line="stats" />
      </div>
      {place.step < begin && (
        <p className="dim">
          No figures of the steps before {count(begin)} are kept, other than those of the step on
          show.
        </p>
      )}
      {asTable ? (
        <ChartTable samples={samples} />
      ) : (
        <Charts
          charts={charts.map(({ kind, picture }) => ({
            ...{ picture, name: `levelscope-${kind}`, onPick: go },
            now: { x: Math.max(place.step, from), text: now(kind) },
          }))}
        />
      )}
    </div>
  );
}

/** Shown for steps of earlier visits, whose figures are not stored. */
function NoFigures({ step }: { step: number }) {
  if (step === 0) return <p>Nothing has happened yet that could be drawn.</p>;
  return (
    <div className="charts">
      <p>
        No figures of these steps are kept; <code>stats</code> prints those of the step on show.
      </p>
      <Command line="stats" />
    </div>
  );
}

/** Names of columns that differ from their chart's. */
const HEADS: Readonly<Record<string, string>> = { stalls: 'stalls, slowdowns' };

function ChartTable({ samples }: { samples: readonly Sample[] }) {
  const { go } = useTime();
  const shown = samples.slice(-ROWS_MAX).toReversed();
  return (
    <DataTable
      caption={`Figures after each call, newest first${
        samples.length > shown.length ? `, ${shown.length} of ${samples.length}` : ''
      }`}
      rows={shown}
      columns={[
        ['step', ({ step }) => <TextLink onClick={() => go(step)}>{step}</TextLink>, 'head'],
        ...CHARTS.map(
          (kind): Column<Sample> => [HEADS[kind] ?? kind, (row) => figureText(kind, row)],
        ),
      ]}
    />
  );
}
