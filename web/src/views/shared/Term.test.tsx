import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { TERMS } from '../../model/terms.generated';
import { Term } from './Term';

const tip = () => screen.queryByRole('tooltip');

it('shows the sentence on focus and hides it with Escape and with the focus', async () => {
  const user = userEvent.setup();
  render(
    <p>
      The <Term name="memtable">memtable</Term> is full. <button type="button">next</button>
    </p>,
  );
  expect(tip()).toBeNull();
  await user.tab();
  expect(screen.getByRole('button', { name: 'memtable' })).toHaveAccessibleDescription(
    TERMS.memtable,
  );
  await user.keyboard('{Escape}');
  expect(tip()).toBeNull();
  await user.keyboard('{Enter}');
  expect(tip()).toHaveTextContent(TERMS.memtable);
  await user.tab();
  expect(tip()).toBeNull();
});

it('shows it on hover, stays while the pointer is on the sentence, and closes with Escape', async () => {
  const user = userEvent.setup();
  render(<Term name="L0" />);
  const word = screen.getByRole('button', { name: 'L0' });
  await user.hover(word);
  fireEvent.pointerOut(word, { relatedTarget: tip(), pointerType: 'mouse' });
  expect(tip()).toHaveTextContent(TERMS.L0);
  await user.keyboard('{Escape}');
  expect(tip()).toBeNull();
});

it('closes at a press elsewhere, and keeps Escape from what is around it', async () => {
  const user = userEvent.setup();
  const around = vi.fn();
  render(
    // biome-ignore lint/a11y/noStaticElementInteractions: it stands for a window that Escape closes
    <div onKeyDown={around}>
      <Term name="score" />
      <p>elsewhere</p>
    </div>,
  );
  await user.click(screen.getByRole('button', { name: 'score' }));
  expect(tip()).toHaveTextContent(TERMS.score);
  await user.keyboard('{Escape}');
  expect(around).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'score' }));
  await user.click(screen.getByText('elsewhere'));
  expect(tip()).toBeNull();
});

it('is at its word on a magnified page, too', async () => {
  Object.defineProperty(Element.prototype, 'currentCSSZoom', { value: 2, configurable: true });
  const rect = vi.spyOn(Element.prototype, 'getBoundingClientRect');
  rect.mockReturnValue(new DOMRect(300, 100, 80, 40));
  render(<Term name="L0" />);
  await userEvent.tab();
  expect(tip()).toHaveStyle({ left: '150px', top: '70px' });
  rect.mockRestore();
  Reflect.deleteProperty(Element.prototype, 'currentCSSZoom');
});
