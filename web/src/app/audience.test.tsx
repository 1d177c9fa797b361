import { act, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { FIRST_PAGE } from '../model/page';
import { shown } from '../model/shown';
import { channelName } from '../present/address';
import { FIRST_LOOK } from '../present/look';
import { VERSION } from '../present/protocol';
import { shownOf } from '../present/shown';
import { Air } from '../testing/air';
import { Audience } from './audience';
import { AudienceScreen } from './audienceScreen';

it('misses only a picture that cannot be drawn, and draws the next one', async () => {
  // React logs the error that is caught.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const quiet = (event: ErrorEvent) => event.preventDefault();
  window.addEventListener('error', quiet);
  const air = new Air();
  const window_ = new AudienceScreen('abcdef', window, air.open);
  const presenter = air.open(channelName('abcdef'));
  const page = shownOf(shown({ ...FIRST_PAGE, connection: { state: 'open' } }), 1);
  const show = (n: number, change: object) =>
    act(() =>
      presenter.postMessage({
        ...{ v: VERSION, type: 'shown', n, lesson: null, typed: null, look: FIRST_LOOK },
        page: { ...page, moment: `1 ${n}`, ...change },
      }),
    );
  show(1, {});
  render(<Audience screen={window_} />);
  show(2, { focus: 'lookup', reading: {} });
  expect(screen.getByText(/cannot be drawn/)).toBeVisible();
  show(3, {});
  expect(screen.queryByText(/cannot be drawn/)).toBeNull();
  expect(screen.getByRole('listbox')).toBeInTheDocument();
  window_.dispose();
  window.removeEventListener('error', quiet);
});
