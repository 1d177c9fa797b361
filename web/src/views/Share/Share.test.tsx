import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { OfferedDialog } from './OfferedDialog';
import { ShareDialog } from './ShareDialog';

const WORDS = { title: 'Step 9.', description: 'L0: table 3.' };
const RESULT = { script: '# levelscope 1\nput a 1\n', lesson: 'L', test: 'T', ends: [3, 7] };

it('shows the commands of a link as text, and runs nothing by itself', async () => {
  const [onRun, onClose] = [vi.fn(), vi.fn()];
  const text = 'put a <b>1</b>\n\n# a thought\nflush; run\n';
  render(<OfferedDialog kind="script" text={text} wrong={[]} {...{ onRun, onClose }} />);
  expect(screen.getByRole('dialog', { name: 'Commands from a link' })).toHaveTextContent(
    '2 lines of commands',
  );
  expect(screen.getByText(/put a <b>1<\/b>/)).toBeVisible();
  expect(onRun).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Line by line' }));
  expect(onRun).toHaveBeenLastCalledWith(false);
  await userEvent.click(screen.getByRole('button', { name: 'No' }));
  expect(onClose).toHaveBeenCalled();
});

it('offers nothing to run where a link is wrong', () => {
  const nothing = () => {};
  const wrong = ['line 1: export may not stand here', 'line 2: there is no command x'];
  render(
    <OfferedDialog kind="script" text="export" wrong={wrong} onRun={nothing} onClose={nothing} />,
  );
  expect(screen.getByRole('alert')).toHaveTextContent('nothing has run');
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Run all' })).toBeNull();
});

it('hands out a link, and names the step at which it opens', async () => {
  const place = { commands: 2, steps: 5, event: 'flush.install' };
  const link = 'https://example.org/#v1/t.put%20a%201';
  render(
    <ShareDialog result={RESULT} link={link} place={place} words={WORDS} onClose={() => {}} />,
  );
  expect(screen.getByRole('textbox', { name: 'Link' })).toHaveValue(link);
  expect(screen.getByText(/flush\.install, after 2 commands/)).toBeVisible();
  expect(await screen.findByRole('img', { name: 'QR code of the link' })).toBeVisible();
  const writeText = vi.fn(async () => {});
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
  await userEvent.click(screen.getByRole('button', { name: 'Copy: the script' }));
  expect(writeText).toHaveBeenCalledWith(RESULT.script);
  expect(screen.getByRole('button', { name: 'Copied: the script' })).toBeVisible();
  vi.unstubAllGlobals();
});

it.each(['', 'a'.repeat(500)])(
  'warns that no other device can open a link to this computer',
  (rest) => {
    const link = `http://localhost:8000/#v1/t.put%20a%201${rest}`;
    render(
      <ShareDialog result={RESULT} link={link} place={null} words={WORDS} onClose={() => {}} />,
    );
    expect(screen.getByRole('note')).toHaveTextContent(
      'This address is on this computer only: no other device can open it. Put the page on a web server first.',
    );
    expect(screen.queryByRole('img')).toBeNull();
  },
);

it('makes no code of a long link, and no link of a long story', () => {
  const link = `https://example.org/#v1/z.${'a'.repeat(2500)}`;
  const { rerender } = render(
    <ShareDialog result={RESULT} link={link} place={null} words={WORDS} onClose={() => {}} />,
  );
  expect(screen.getByText(/some programs cut links/)).toBeVisible();
  expect(screen.queryByRole('img')).toBeNull();
  rerender(
    <ShareDialog result={RESULT} link={null} place={null} words={WORDS} onClose={() => {}} />,
  );
  expect(screen.getByText(/too long for a link/)).toBeVisible();
});

it('shows why there is no link, and hands out the words of the picture all the same', async () => {
  const failure = {
    kind: 'unavailable',
    message: 'the database was there',
    hint: '`export` saves it',
  };
  render(
    <ShareDialog result={failure} link={null} place={null} words={WORDS} onClose={() => {}} />,
  );
  expect(screen.getByRole('alert')).toHaveTextContent(
    'This state has no link: the database was there.',
  );
  expect(screen.queryByRole('textbox')).toBeNull();
  const writeText = vi.fn(async () => {});
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
  await userEvent.click(screen.getByRole('button', { name: /alternative text/ }));
  expect(writeText).toHaveBeenCalledWith('Step 9.\nL0: table 3.');
  // There is no picture in this test.
  expect(screen.queryByRole('button', { name: /as SVG/ })).toBeNull();
  vi.unstubAllGlobals();
});
