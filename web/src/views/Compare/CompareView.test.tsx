import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { axisOf, type Comparison } from '../../model/comparison';
import type { CompareMoment, CompareOutcome, CompareResult } from '../../model/engine.generated';
import { FIRST_PAGE } from '../../model/page';
import { EMPTY_VIEW } from '../../model/reduce';
import { Offers } from '../../testing/Offers';
import { CompareView } from './CompareView';
import { compareScene, lessOf, placeAtX, placeX, timesOf } from './scene';

const moment = (step: number, writtenBytes: number, tables: number): CompareMoment => ({
  step,
  userBytes: 100,
  writtenBytes,
  tables,
  tableBytes: tables * 100,
  runs: tables,
});

const OUTCOME: CompareOutcome = {
  userBytes: 100,
  walBytes: 100,
  flushBytes: 100,
  compactionBytes: 300,
  writeAmplification: 5,
  tables: 0,
  levels: 0,
  runs: 0,
  lookups: 10,
  searchedPresent: 1.5,
  searchedAbsent: 0.1,
  flushedBytes: 100,
  liveBytes: 100,
  spaceAmplification: 1,
};

const side = (title: string, branch: number, steps: number, written: number) => ({
  ...{ title, branch, name: `${title} ${branch}`, opened: 2, steps, view: EMPTY_VIEW },
  options: [{ name: 'strategy', value: title }],
  moments: [moment(2, 0, 0), moment(steps - 1, written / 2, 1), moment(steps, written, 2)],
  outcome: OUTCOME,
});

const RESULT: CompareResult = {
  sides: [side('leveled', 1, 12, 1000), side('tiered', 2, 8, 500)],
  commands: [
    { text: 'fill 5', ends: [6, 6], failures: [null, null] },
    { text: 'run', ends: [12, 8], failures: [null, null] },
  ],
  notes: ['Left out: one command.'],
};

const total = axisOf(RESULT).total;

function shown(at: number, offered: Partial<Parameters<typeof Offers>[0]> = {}) {
  const comparison: Comparison = { result: RESULT, at, shown: true };
  return render(
    <Offers {...offered}>
      <CompareView page={{ ...FIRST_PAGE, histories: new Map() }} comparison={comparison} />
    </Offers>,
  );
}

it('shows both sides with their figures, and which one has less', () => {
  shown(total);
  for (const title of ['leveled', 'tiered']) {
    expect(screen.getByRole('heading', { name: title })).toBeVisible();
  }
  const tiered = within(screen.getByRole('complementary', { name: 'Figures of tiered' }));
  expect(tiered.getByText('500 B').closest('div')).toHaveClass('less');
  expect(tiered.getByText('500 B')).toHaveTextContent('500 B, less');
  expect(tiered.getAllByText('0.50×')).toHaveLength(2);
  const leveled = within(screen.getByRole('complementary', { name: 'Figures of leveled' }));
  expect(leveled.getByText('1000 B').closest('div')).not.toHaveClass('less');
  expect(leveled.getByText('1.50')).toBeVisible();
  expect(screen.getByText('Left out: one command.')).toBeVisible();
});

it('names the command at the cursor, and the figures of the end only there', () => {
  shown(1);
  expect(screen.getByText('Command 1 of 2')).toBeVisible();
  const slider = screen.getByRole('slider', { name: 'One cursor for both' });
  expect(slider).toHaveAttribute('aria-valuetext', 'command 1: fill 5');
  expect(slider).toHaveAttribute('aria-valuemax', String(total));
  expect(slider).toHaveFocus();
  expect(screen.queryByText('1.50')).toBeNull();
  expect(screen.getAllByText('at the end')).toHaveLength(4);
});

it('reports that the events of a step are fetched, and draws no other step meanwhile', () => {
  shown(3);
  expect(screen.getAllByText(/The events of this step are fetched/)).toHaveLength(2);
  expect(document.querySelector('.compare-stage')).toBeNull();
});

it('is left by Escape, by its button, and for a branch', async () => {
  const user = userEvent.setup();
  const offered = { closeFull: vi.fn(), type: vi.fn(), travel: vi.fn(), setGrain: vi.fn() };
  shown(total, offered);
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: /Lab/ }));
  expect(offered.closeFull).toHaveBeenCalledTimes(2);
  await user.click(screen.getByRole('button', { name: 'Go to tiered 2' }));
  expect(offered.type).toHaveBeenCalledWith('branch tiered 2');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(offered.travel).toHaveBeenCalledWith({ to: 'walk', grain: 'phase', count: -1 }, 'jump');
  await user.click(screen.getByRole('radio', { name: 'command' }));
  expect(offered.setGrain).toHaveBeenCalledWith('operation');
});

it('has a slider on which places and pixels agree', () => {
  for (let at = 0; at <= total; at += 1) {
    expect(placeAtX(placeX(at, total, 700), total, 700)).toBe(at);
  }
  expect(placeAtX(-50, total, 700)).toBe(0);
  expect(placeAtX(9999, total, 700)).toBe(total);
  const scene = compareScene(axisOf(RESULT), total, 700);
  expect(scene.parts.map(({ label }) => label)).toEqual(['fill 5', 'run']);
  expect(compareScene(axisOf(RESULT), 0, 60).parts.every(({ label }) => label === '')).toBe(true);
  expect(scene.ticks.every((ticks) => ticks.length > 0)).toBe(true);
});

it('compares figures only where both are known', () => {
  expect(lessOf([2, 1])).toBe(1);
  expect(lessOf([1, 1])).toBeNull();
  expect(lessOf([null, 1])).toBeNull();
  expect(timesOf([2, 1])).toBe('0.50×');
  expect(timesOf([0, 1])).toBe('');
  expect(timesOf([])).toBe('');
});
