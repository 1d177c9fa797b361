import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { SAMPLE_LAB, SAMPLE_REPORT } from '../../testing/labReport';
import { Offers } from '../../testing/Offers';
import { asking } from '../../testing/queries';
import { LabsView } from './LabsView';

const ask = asking(() => [SAMPLE_LAB]);

function show(page: Parameters<typeof LabsView>[0]['page']) {
  const calls = { type: vi.fn(), stop: vi.fn() };
  render(
    <Offers ask={ask} {...calls}>
      <LabsView page={page} lab="L1" />
    </Offers>,
  );
  return calls;
}

it('runs a lab by typing its command', async () => {
  const { type } = show({ busy: null, reports: new Map() });
  const records = await screen.findByRole('textbox', { name: /records/ });
  await userEvent.clear(records);
  expect(screen.getByRole('button', { name: 'Run experiment' })).toBeDisabled();
  await userEvent.type(records, '900{Enter}');
  expect(type).toHaveBeenCalledExactlyOnceWith('lab L1 --records 900');
});

it('stops a lab at work', async () => {
  const busy = { label: 'lab L1', done: 3, total: 10 };
  const { stop } = show({ busy, reports: new Map() });
  await userEvent.click(await screen.findByRole('button', { name: 'Stop' }));
  expect(stop).toHaveBeenCalledOnce();
  expect(screen.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('value', '3');
});

it('shows that a stopped experiment has no result, and keeps the findings of an earlier run', async () => {
  const stopped = { ...SAMPLE_REPORT, stopped: true };
  const nothing = { ...stopped, findings: [], figures: [], tables: [], charts: [] };
  const { unmount } = render(
    <Offers ask={ask}>
      <LabsView page={{ busy: null, reports: new Map([['L1', nothing]]) }} lab="L1" />
    </Offers>,
  );
  expect(await screen.findByText(/a stopped run has no result/)).toBeVisible();
  expect(screen.getByText('· stopped')).toBeVisible();
  expect(screen.queryByText(/The same in a terminal/)).toBeNull();
  unmount();
  show({ busy: null, reports: new Map([['L1', stopped]]) });
  expect(await screen.findByText(/what the run before it found/)).toBeVisible();
  expect(screen.getByText('Varint lengths save 7.1 % of a table.')).toBeVisible();
});

it('shows the findings beside the claim', async () => {
  show({ busy: null, reports: new Map([['L1', SAMPLE_REPORT]]) });
  expect(await screen.findByText('Varint lengths save 7.1 % of a table.')).toBeVisible();
  const row = screen.getByRole('row', { name: /smaller by/ });
  expect(within(row).getByRole('cell', { name: '~10 % not met' })).toBeVisible();
  expect(within(row).getByRole('cell', { name: '7.1 % agrees' })).toBeVisible();
  expect(screen.getByText('An article')).toBeVisible();
  expect(screen.getByText(/A\. Writer: .*section 2/, { selector: 'dd' })).toBeVisible();
  expect(screen.getByRole('cell', { name: '18,300' })).toBeVisible();
});
