import './Charts.css';

import { useMemo, useRef, useState } from 'react';
import type { Sample } from '../../model/engine.generated';
import { historyOf, type Page } from '../../model/page';
import { eraAt } from '../../model/timelineMarks';
import { count } from '../../model/words';
import { Quiet, TextLink } from '../shared/buttons';
import { useTime } from '../shared/contexts';
import { type Column, DataTable } from '../shared/DataTable';
import { Command } from '../shared/Facts';
import { SavePicture } from '../shared/SavePicture';
import { useAnswer } from '../shared/useAnswer';
import { useSize } from '../shared/useSize';
import { CHART_LEFT, CHARTS, type ChartScene, chartScene, figureText, POINT_PITCH } from './scene';

const FIRST_SIZE = { width: 360, height: 100 };
const SIZE_MIN = { width: 200, height: 1 };
const ROWS_MAX = 200;
const GAP = 14;
const AXIS_H = 22;

/** Amplification, bytes of each level and stalls over the steps of a database; each point leads to its step. */
export function ChartsTab({ page }: { page: Page }) {
  const all = historyOf(page).samples;
  const host = useRef<HTMLDivElement>(null);
  const picture = useRef<SVGSVGElement>(null);
  const { width } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const [asTable, setAsTable] = useState(false);
  const { place } = page;
  const { from, to } = eraAt(page.marks, place.step, page.last);
  const samples = useMemo(
    () => all.filter(({ step }) => step >= from && step <= to),
    [all, from, to],
  );
  const answer = useAnswer({ ask: 'stats' });
  const stats = answer.state === 'ready' ? answer.result : answer.state === 'failed' ? '–' : '…';
  const charts = useMemo(
    () => CHARTS.map((kind) => chartScene(kind, samples, { from, to }, place.step, width, stats)),
    [samples, from, to, place.step, width, stats],
  );
  const begin = samples[0]?.step;
  if (begin === undefined) return <NoFigures step={place.step} />;
  const [first] = charts;
  const height = charts.length * ((first?.height ?? 0) + GAP) + AXIS_H;
  return (
    <div className="charts" ref={host}>
      <div className="chart-tools">
        <Quiet onClick={() => setAsTable(!asTable)}>{asTable ? 'As picture' : 'As table'}</Quiet>
        {!asTable && <SavePicture picture={picture} name="levelscope-charts" />}
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
        <figure>
          <ul className="visually-hidden">
            {charts.map((chart) => (
              <li key={chart.kind}>
                {chart.title}: {chart.now} at step {place.step}
              </li>
            ))}
          </ul>
          <svg ref={picture} width={width} height={height} aria-hidden="true">
            {charts.map((chart, index) => (
              <g key={chart.kind} transform={`translate(0 ${index * (chart.height + GAP)})`}>
                <Chart chart={chart} />
              </g>
            ))}
            <text x={CHART_LEFT} y={height - 6}>
              step {count(from)}
            </text>
            <text x={width - 10} y={height - 6} textAnchor="end">
              {count(to)}
            </text>
          </svg>
        </figure>
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

function Chart({ chart }: { chart: ChartScene }) {
  const { go } = useTime();
  const { width, height, cursorX } = chart;
  return (
    <>
      <text className="title" x={0} y={14}>
        {chart.title}
      </text>
      <text className="now" x={width - 10} y={14} textAnchor="end">
        {chart.now}
      </text>
      {chart.ticks.map((tick) => (
        <g key={tick.text} className="grid">
          <path d={`M${CHART_LEFT} ${tick.y.toFixed(1)}H${width - 10}`} />
          <text x={CHART_LEFT - 6} y={tick.y + 4} textAnchor="end">
            {tick.text}
          </text>
        </g>
      ))}
      {chart.lines.map((line) => (
        <g
          key={line.name}
          className={line.level === null ? 'series' : `series level-${Math.min(line.level, 3)}`}
        >
          {line.area !== '' && <path className="area" d={line.area} />}
          <path className={line.name === 'slowdowns' ? 'line dashed' : 'line'} d={line.line} />
        </g>
      ))}
      <path className="cursor" d={`M${cursorX.toFixed(1)} 22V${height - 4}`} />
      {chart.points.map((point) => (
        <a
          key={point.step}
          href={`#step:${point.step}`}
          tabIndex={-1}
          aria-label={`step ${point.step}: ${point.text}`}
          onClick={(event) => {
            event.preventDefault();
            go(point.step);
          }}
        >
          <title>{`step ${count(point.step)}: ${point.text}`}</title>
          <rect
            className="hit"
            x={point.x - POINT_PITCH / 2}
            y={20}
            width={POINT_PITCH}
            height={height - 22}
          />
          <circle className="point" cx={point.x} cy={point.y} r={2.8} />
        </a>
      ))}
    </>
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
