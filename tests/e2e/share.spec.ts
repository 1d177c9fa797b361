// Links with commands, as people hand them on: what comes out is the same database, and what comes in is looked at first.

import { readFileSync } from 'node:fs';
import { chromium, type Page } from '@playwright/test';
import { linkTo } from '../../web/src/share/link';
import { textOf } from './authored';
import { violations } from './axe';
import { expect, test } from './harness';
import { Playground, tall } from './playground';

const STORY = [
  'put apple red; put fig green; put pear yellow',
  'flush; run',
  'del fig; flush',
  'step phase 3',
  'get fig',
];

/** A lesson as earlier releases handed it out. */
const linkToLesson = (text: string) => linkTo(text, null).replace('v1/z.', 'v1/m.');

const column = (page: Page) => page.getByRole('complementary', { name: 'Commands from a link' });
const dialog = (page: Page) => page.getByRole('dialog');
const field = (page: Page) => dialog(page).getByRole('textbox', { name: 'Link' });

/** The link that the page hands out, as people get it: by the button. */
async function link(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(field(page)).toBeVisible();
  const text = await field(page).inputValue();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  return text;
}

test('a link leads to the same database, beside the visitor’s own', async ({ page, site }) => {
  const sender = new Playground(page);
  await tall(page);
  await sender.open(site.url);
  for (const line of ['put old 1', 'reset --yes', ...STORY]) await sender.run(line);
  const address = await link(page);
  const tree = await sender.run('lsm');

  const executablePath = process.env.LEVELSCOPE_CHROMIUM;
  const elsewhere = await chromium.launch(executablePath === undefined ? {} : { executablePath });
  const other = await (await elsewhere.newContext()).newPage();
  const receiver = new Playground(other);
  await tall(other);
  await receiver.open(site.url);
  await receiver.run('put own data');
  const asked: string[] = [];
  other.on('request', (request) => asked.push(request.url()));
  await other.evaluate((to) => window.location.assign(to), address);
  await expect(dialog(other)).toContainText('Your database is not touched.');
  await expect(dialog(other).locator('pre')).toContainText('put apple red');
  expect(await violations(other)).toEqual([]);
  // Nothing has run, also after a reload, and no leaves everything as it is.
  await other.reload();
  await expect(dialog(other).locator('pre')).toContainText('put apple red');
  await dialog(other).getByRole('button', { name: 'No' }).click();
  await expect(column(other)).toHaveCount(0);
  const before = await receiver.run('files');
  await other.evaluate((to) => window.location.assign(to), address);
  await dialog(other).getByRole('button', { name: 'Run all' }).click();
  await expect(column(other).getByText('That was all.')).toBeVisible();
  await receiver.idle();
  expect(await receiver.run('lsm')).toEqual(tree);
  expect(await violations(other)).toEqual([]);
  await receiver.run('leave');
  expect(await receiver.run('files')).toEqual(before);
  expect(await receiver.run('get own')).toEqual(['data']);
  expect(asked.filter((url) => !url.startsWith(site.url))).toEqual([]);
  expect(new URL(other.url()).hash).not.toContain('v1');
  await elsewhere.close();
});

test('a link from the past opens at its step', async ({ page, site }) => {
  const playground = new Playground(page);
  await playground.open(site.url);
  for (const line of ['reset --yes', ...STORY]) await playground.run(line);
  await playground.run('goto 45');
  const address = await link(page);
  expect(address).toMatch(/&at=\d+\+\d+:[a-z.]+$/);
  const sentence = async () =>
    (await playground.narration.textContent())?.replace(/^Step \d+\.\s*/, '');
  const before = await sentence();
  await playground.run('now');
  expect(await sentence()).not.toBe(before);
  await page.evaluate((to) => window.location.assign(to), address);
  await dialog(page).getByRole('button', { name: 'Run all' }).click();
  await expect(page.getByText('Viewing the past')).toBeVisible();
  await expect.poll(sentence).toBe(before);
});

test('a link is played line by line with one key, and leaves no lines in the history', async ({
  page,
  site,
}) => {
  const playground = new Playground(page);
  await page.goto(`${site.url}#v1/t.put%20a%201%0Aput%20b%202%0Aget%20a`);
  await dialog(page).getByRole('button', { name: 'Line by line' }).click();
  await expect(column(page).locator('li[aria-current=step]')).toHaveText('put a 1');
  await page.keyboard.press('n');
  await expect(column(page).locator('li[aria-current=step]')).toHaveText('put b 2');
  await column(page).getByRole('button', { name: 'Run all' }).click();
  await expect(column(page).getByText('That was all.')).toBeVisible();
  await playground.idle();
  expect(await playground.run('get b')).toEqual(['2']);
  await page.keyboard.press('Escape');
  // A press too many leaves nothing.
  await page.keyboard.press('n');
  expect(await playground.run('get b')).toEqual(['2']);
  await column(page).getByRole('button', { name: 'Back to your own database' }).click();
  await expect(column(page)).toHaveCount(0);
});

test('a second tab, whose database is elsewhere, opens a link in memory', async ({
  page,
  site,
  browserOnDisk,
}) => {
  await new Playground(page).open(site.url);
  const second = await browserOnDisk.context.newPage();
  await second.goto(`${site.url}#v1/t.put%20a%201`);
  await dialog(second).getByRole('button', { name: 'Run all' }).click();
  await expect(column(second).getByText('That was all.')).toBeVisible();
  // Afterwards the page asks for the visitor's own database again.
  await column(second).getByRole('button', { name: 'Back to your own database' }).click();
  await expect(second.getByRole('button', { name: /take over/i })).toBeVisible();
});

test('hostile links run nothing', async ({ page, site }) => {
  const playground = new Playground(page);
  await playground.open(site.url);
  await playground.run('put own data');
  const before = await playground.run('files');
  const links = [
    ['v1/z.AAAA', 'The link is damaged'],
    ['v1/t.%zz', 'The link is damaged'],
    [`v1/t.${'a'.repeat(20_000)}`, 'The link is longer than any'],
    ['v1/t.export', 'export may not stand in a lesson or in a shared script'],
    ['v1/t.reset%20--yes%0Aleave%0Areset%20--yes', 'leave may not stand'],
    ['v1/t.put%20a%20%E2%80%AEb', 'U+202E cannot be seen'],
    ['v1/t.%3Cimg%20src=x%20onerror=alert(1)%3E', 'there is no command <img'],
    ['v1/t.fill%20100000%20--value-size%201m', 'more than 64.0 MiB'],
  ] as const;
  for (const [hash, why] of links) {
    await page.evaluate((to) => window.location.assign(to), `${site.url}#${hash}`);
    const run = dialog(page).getByRole('button', { name: 'Run all' });
    await expect(dialog(page)).toBeVisible();
    if (await run.count()) await run.click();
    await expect(page.getByText(why).first()).toBeVisible();
    if (await dialog(page).count()) {
      await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
    } else {
      await playground.idle();
      await playground.run('leave');
    }
    await expect(column(page)).toHaveCount(0);
  }
  expect(await playground.run('files')).toEqual(before);
  expect(await playground.run('get own')).toEqual(['data']);
});

test('what runs too long is stopped by hand', { tag: '@slow' }, async ({ page, site }) => {
  const playground = new Playground(page);
  await page.goto(`${site.url}#v1/t.fill%202g%0Aput%20b%202`);
  await dialog(page).getByRole('button', { name: 'Run all' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await playground.button(/^Stop/).click();
  await playground.idle();
  await expect(column(page).locator('li[aria-current=step]')).toHaveText('put b 2');
  // Also where the page looks at the past.
  await playground.run('goto 3');
  await playground.run('leave');
  await expect(column(page)).toHaveCount(0);
});

test('a lesson in a link is looked at first, and its mistakes are listed by line', async ({
  page,
  site,
}) => {
  const playground = new Playground(page);
  await playground.open(site.url);
  // A stranger's lesson may have the id of ours: how far one came in ours stays as it was.
  const kept = JSON.stringify({ log: { text: 7, at: 3, end: 49, done: false, answers: {} } });
  await page.evaluate((text) => localStorage.setItem('levelscope.progress', text), kept);
  await page.reload();
  await playground.ready();
  const text = textOf('01-log.md').replace('title: ', 'title: My own: ');
  await page.evaluate((to) => window.location.assign(to), `${site.url}#${linkToLesson(text)}`);
  await expect(dialog(page)).toContainText('My own: ');
  await dialog(page).getByRole('button', { name: 'Start the lesson' }).click();
  await expect(
    page.getByRole('complementary', { name: /^Lesson from a file or link: My own: / }),
  ).toBeVisible();
  await playground.idle();
  await expect(page.getByRole('button', { name: 'Link', exact: true })).toHaveCount(0);
  const progress = await page.evaluate(() => localStorage.getItem('levelscope.progress'));
  expect(JSON.parse(progress ?? '{}')).toMatchObject(JSON.parse(kept));
  await playground.run('leave');
  const wrong = linkToLesson(text.replace('minutes: ', 'minuets: '));
  await page.evaluate((to) => window.location.assign(to), `${site.url}#${wrong}`);
  await dialog(page).getByRole('button', { name: 'Start the lesson' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('did you mean minutes?');
});

test('the picture is a file with its words, also where there is no link', { tag: '@slow' }, async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 60 --words --seed 7; run; put "<b>&]]>" red');
  await playground.run('share');
  const saved = async (format: string) => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: `Save the picture as ${format}` }).click();
    return readFileSync(await (await download).path());
  };
  const svg = (await saved('SVG')).toString();
  expect(svg.startsWith('<svg')).toBe(true);
  // The page itself refuses to parse markup.
  const other = await page.context().newPage();
  const picture = await other.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    const all = [...parsed.querySelectorAll('*')];
    return {
      isSvg: parsed.documentElement.localName === 'svg',
      title: parsed.querySelector('svg > title')?.textContent ?? '',
      description: parsed.querySelector('svg > desc')?.textContent ?? '',
      names: [...new Set(all.map((each) => each.localName))].sort(),
      attributes: [...new Set(all.flatMap((each) => each.getAttributeNames()))].sort(),
      texts: parsed.documentElement.textContent ?? '',
    };
  }, svg);
  await other.close();
  expect(picture.isSvg).toBe(true);
  expect(picture.title).toMatch(/^Step \d+/i);
  expect(picture.description).toContain('L0');
  expect(picture.texts).toContain('<b>&]]>');
  expect(picture.names).not.toContain('script');
  expect(
    picture.attributes.filter((name) => /^on|href|aria-(?!labelledby)|data-/.test(name)),
  ).toEqual([]);
  expect((await saved('PNG')).subarray(1, 4).toString()).toBe('PNG');
  await page.keyboard.press('Escape');

  // A database that was there before this visit has no script.
  await page.reload();
  await playground.ready();
  await playground.run('share');
  await expect(page.getByRole('alert')).toContainText('This state has no link');
  expect((await saved('SVG')).toString()).toContain('<title');
});

test('a frame shows picture and time in another page, and keeps nothing', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('put apple red; put fig green; flush; run');
  await playground.run('share');
  await dialog(page).getByRole('button', { name: 'Copy: the frame' }).click();
  const html = await page.evaluate(() => navigator.clipboard.readText());
  expect(html).toContain('loading="lazy"');
  await page.keyboard.press('Escape');

  const other = await page.context().newPage();
  // Of the same origin: what a frame of another one can reach is even less.
  let shown = html;
  const lecture = `${site.origin}/lecture`;
  await other.route(lecture, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<h1>A lecture</h1>${shown}` }),
  );
  const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  const before = await kept();
  await other.goto(lecture);
  const frame = other.frameLocator('iframe');
  await expect(frame.getByText(/Job 1 is done/).first()).toBeVisible();
  await expect(frame.getByRole('option', { name: /^table 4/ })).toBeVisible();
  const step = frame.getByRole('slider', { name: 'History' });
  const last = Number(await step.getAttribute('aria-valuenow'));
  await frame.getByRole('button', { name: 'Back' }).click();
  await expect(step).toHaveAttribute('aria-valuenow', String(last - 1));
  await expect(frame.getByRole('button', { name: /Share|Files|Lessons/ })).toHaveCount(0);
  await expect(frame.locator('.xterm, [role=log]')).toHaveCount(0);
  await expect(frame.getByRole('link', { name: 'Open in a tab' })).toHaveAttribute(
    'href',
    /#v1\/t\.put/,
  );
  expect(await kept()).toBe(before);
  expect((await playground.run('get apple')).join(' ')).toContain('red');

  // Commands that may not stand in a link are refused in the frame, too.
  shown = `<iframe src="${site.url}#v1/t.put%20a%201%0Aexport&embed" width="900" height="500"></iframe>`;
  await other.goto(lecture);
  await expect(frame.getByRole('alert')).toContainText('line 2');
});
