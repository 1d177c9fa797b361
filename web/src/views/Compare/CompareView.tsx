import './Compare.css';

import { type RefObject, useMemo, useRef } from 'react';
import { axisOf, type Comparison, momentAt, partAt, sideAt, stepsAt } from '../../model/comparison';
import type { CompareSide, Grain, View } from '../../model/engine.generated';
import type { Page } from '../../model/shown';
import { timelineFrom } from '../../model/timeline';
import { count, ratio, size } from '../../model/words';
import type { Writing } from '../../model/writing';
import { clamp } from '../Stage/scene/geometry';
import { BackButton } from '../shared/BackButton';
import { closesByEscape } from '../shared/closesByEscape';
import { useCommands, useTime, useViews } from '../shared/contexts';
import { Segments } from '../shared/Segments';
import { useFit } from '../shared/useFit';
import { usePageScale } from '../shared/usePageScale';
import { useSize } from '../shared/useSize';
import { ComparedStage } from './ComparedStage';
import { CompareSlider } from './CompareSlider';
import { lanesOf, mostLanes } from './levels';
import { type FigureRow, lessOf, timesOf } from './scene';

interface Props {
  page: Pick<Page, 'histories' | 'grain'>;
  comparison: Comparison;
}

const NOTHING_WRITTEN: Writing = new Map();

/** Two configurations that ran the same commands: both trees above each other, their figures, and one cursor. */
export function CompareView({ page, comparison }: Props) {
  const { closeFull } = useViews();
  const room = useRef<HTMLDivElement>(null);
  const { result } = comparison;
  const steps = stepsAt(comparison);
  const views = result.sides.map((side, index) => {
    const timeline =
      page.histories.get(side.branch)?.timeline ?? timelineFrom(side.view, side.steps);
    return sideAt(timeline, steps[index] ?? 0);
  });
  const most = mostLanes([
    ...result.sides.map(({ view }) => lanesOf(view, NOTHING_WRITTEN)),
    ...views.map((shown) => (shown ? lanesOf(shown.view, shown.writing) : [])),
  ]);
  const needs = most.join();
  // The same array as long as nothing in it changes: the pictures are drawn again otherwise.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `needs` is its content
  const lanes = useMemo(() => most, [needs]);
  const rows = figures(
    comparison,
    steps,
    views.map((shown) => shown?.view ?? null),
  );
  return (
    <div className="compare-room" ref={room}>
      <section
        style={{ zoom: useShrink(room) }}
        className="compare-view in-column on-page"
        aria-label="Two configurations"
        onKeyDown={closesByEscape(closeFull)}
      >
        <Head page={page} comparison={comparison} />
        {result.sides.map((side, index) => (
          <div className="compare-side grows" key={side.branch}>
            <ComparedStage
              side={side}
              step={steps[index] ?? 0}
              shown={views[index] ?? null}
              lanes={lanes}
            />
            <Figures
              side={side}
              index={index}
              rows={rows}
              first={index === 1 ? (result.sides[0]?.title ?? null) : null}
            />
          </div>
        ))}
        <CompareSlider axis={axisOf(result)} comparison={comparison} />
        {result.notes.map((note) => (
          <p key={note} className="compare-note">
            {note}
          </p>
        ))}
      </section>
    </div>
  );
}

/** Where it has less room in a lecture hall, it is drawn smaller [px]. */
const WHOLE = { width: 840, height: 400 };
const SIZE_MIN = { width: 1, height: 50 };

/** How large it is drawn in its room: never smaller than at the usual scale. */
function useShrink(room: RefObject<HTMLElement | null>): number {
  const size = useSize(room, WHOLE, SIZE_MIN);
  const scale = usePageScale(room, size);
  const fits = Math.min(size.width / WHOLE.width, size.height / WHOLE.height);
  return clamp(fits, Math.min(1 / scale, 1), 1);
}

const GRAINS: readonly { of: Grain; name: string; title: string }[] = [
  { of: 'operation', name: 'command', title: 'An arrow key goes to the next command (1)' },
  {
    of: 'phase',
    name: 'change',
    title: 'An arrow key goes to the next change of the tables (2)',
  },
  { of: 'detail', name: 'step', title: 'An arrow key goes one step (3)' },
];

/** The way back, the command at the cursor, and the grain of the arrow keys. */
function Head({ page, comparison }: Props) {
  const { travel, setGrain } = useTime();
  const found = partAt(comparison);
  const { length } = comparison.result.commands;
  const host = useFit('--text', 13, found?.part.text ?? '');
  const walk = (by: 1 | -1) => travel({ to: 'walk', grain: page.grain, count: by }, 'jump');
  return (
    <header className="compare-head in-row line-below">
      <BackButton more="; compare shows it again" />
      <p className="compare-command widens" aria-live="polite" ref={host} title={found?.part.text}>
        {found ? (
          <>
            <span className="dim">
              Command {found.number} of {count(length)}
            </span>{' '}
            <code>{found.part.text}</code>
          </>
        ) : (
          'Before the first command: both are empty.'
        )}
      </p>
      <Segments
        legend="Steps of the cursor"
        choices={GRAINS}
        chosen={page.grain}
        onChoose={setGrain}
      />
      <div className="buttons">
        <button type="button" onClick={() => walk(-1)} title="Back (←)" aria-label="Back">
          ◀
        </button>
        <button type="button" onClick={() => walk(1)} title="Forward (→)" aria-label="Forward">
          ▶
        </button>
      </div>
    </header>
  );
}

/** The figures at the cursor: bytes from the engine's counts, tables and runs from the trees that are drawn. */
function figures(
  { result, at }: Comparison,
  steps: readonly number[],
  views: readonly (View | null)[],
): FigureRow[] {
  const { sides } = result;
  const moments = sides.map((side, index) => momentAt(side, steps[index] ?? 0));
  const written = moments.map((moment) => moment?.writtenBytes ?? null);
  const amplified = moments.map((moment) =>
    moment && moment.userBytes > 0 ? moment.writtenBytes / moment.userBytes : null,
  );
  const inLevels = (of: (level: View['levels'][number]) => number) =>
    views.map((view) => view?.levels.reduce((sum, level) => sum + of(level), 0) ?? null);
  const isEnd = at === axisOf(result).total;
  const atEnd = (of: (side: CompareSide) => number | null) =>
    sides.map((side) => (isEnd ? of(side) : null));
  return [
    ['written', written, '…', size],
    ['write amplification', amplified, '–', ratio],
    ['tables', inLevels(({ tables }) => tables.length), '…', count],
    ['sorted runs', inLevels(({ score }) => score.runs), '…', count],
    ['tables per lookup', atEnd(({ outcome }) => outcome.searchedPresent), 'at the end', ratio],
    ['space amplification', atEnd(({ outcome: of }) => of.spaceAmplification), 'at the end', ratio],
  ];
}

interface FiguresProps {
  side: CompareSide;
  /** Which side it is. */
  index: number;
  rows: readonly FigureRow[];
  /** The side whose figures the last column compares with; `null` for that side. */
  first: string | null;
}

/** The figures of one side; those of the second one also as multiples of the first. */
function Figures({ side, index, rows, first }: FiguresProps) {
  const { type } = useCommands();
  const { closeFull } = useViews();
  const go = () => {
    closeFull();
    type(`branch ${side.name}`);
  };
  return (
    <aside className="compare-figures in-column" aria-label={`Figures of ${side.title}`}>
      {first !== null && <p className="times dim">of {first}</p>}
      <dl className="spacer">
        {rows.map(([name, values, missing, text]) => {
          const value = values[index] ?? null;
          const isLess = lessOf(values) === index;
          return (
            <div key={name} className={isLess ? 'less' : undefined}>
              <dt>{name}</dt>
              <dd>
                {value === null ? <span className="dim">{missing}</span> : text(value)}
                {isLess && <span className="visually-hidden">, less</span>}
              </dd>
              <dd className="times">{index === 1 ? timesOf(values) : ''}</dd>
            </div>
          );
        })}
      </dl>
      <button type="button" onClick={go} title={`Types branch ${side.name}`}>
        Go to {side.name}
      </button>
    </aside>
  );
}
