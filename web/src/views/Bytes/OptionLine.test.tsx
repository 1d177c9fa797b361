import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { OptionLine } from './OptionLine';

it('is walked by keys, and keeps the focus of an option when others come', async () => {
  const onItem = vi.fn();
  const line = (items: readonly string[]) => (
    <OptionLine
      aria-label="Letters"
      items={items}
      selected={-1}
      keyOf={(item) => item}
      attributesOf={(item) => ({ children: item })}
      onItem={onItem}
    />
  );
  const { rerender } = render(line(['b', 'c', 'd']));
  const list = screen.getByRole('listbox', { name: 'Letters' });
  const active = () =>
    document.getElementById(list.getAttribute('aria-activedescendant') ?? '')?.textContent;
  const user = userEvent.setup();
  await user.tab();
  expect(active()).toBe('b');
  await user.keyboard('{ArrowRight}');
  expect(active()).toBe('c');
  rerender(line(['a', 'b', 'c', 'd']));
  expect(active()).toBe('c');
  await user.keyboard('{End}{ArrowRight}{Enter}');
  expect(onItem).toHaveBeenLastCalledWith('d');
  await user.keyboard('{Home}{Enter}');
  expect(onItem).toHaveBeenLastCalledWith('a');
});
