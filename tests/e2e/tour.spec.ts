// The tour of docs/PLAYGROUND.md, executed: each step does what its words promise, with the commands and keys that it names.

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from './harness';
import { Playground } from './playground';
import { outOfTerminal, toLastStop } from './steps';

const PLAYGROUND = readFileSync(new URL('../../docs/PLAYGROUND.md', import.meta.url), 'utf8');

/** The commands and keys that each step of the tour names, in order. */
function named(): string[][] {
  const [, after = ''] = PLAYGROUND.split('## Five minutes in the playground');
  const [tour = ''] = after.split('\n## ');
  const steps = tour.split(/\n(?=\d+\. \*\*)/).slice(1);
  return steps.map((step) => {
    const [text = ''] = step.split('\n\n');
    return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  });
}

/** One step of the tour: the code that it names, and what a visitor sees. */
interface Step {
  names: string[];
  walk(at: { page: Page; playground: Playground; key(key: string): Promise<void> }): Promise<void>;
}

const STEPS: Step[] = [
  {
    names: ['put apple red', 'get apple'],
    async walk({ page, playground }) {
      await playground.run('put apple red');
      await expect(page.getByRole('option', { name: /^WAL \d+, 1 record/ })).toBeVisible();
      await expect(page.getByRole('option', { name: /^memtable \d+, .*1 entry/ })).toBeVisible();
      expect((await playground.run('get apple')).join()).toContain('red');
    },
  },
  {
    names: ['fill 40 --words --seed 7'],
    async walk({ page, playground }) {
      await playground.run('fill 40 --words --seed 7');
      await expect(page.getByRole('option', { name: /^memtable 1, immutable/ })).toBeVisible();
      await expect(page.getByRole('option', { name: /^memtable 2, / })).toBeVisible();
    },
  },
  {
    names: [],
    async walk({ page, playground }) {
      const sentences: string[] = [];
      for (let step = 0; step < 60 && !/installed/.test(sentences.at(-1) ?? ''); step += 1) {
        const before = (await playground.narration.textContent()) ?? '';
        await playground.button(/Step$/).click();
        await playground.idle();
        await expect(playground.narration).not.toHaveText(before);
        sentences.push((await playground.narration.textContent()) ?? '');
        if (/data block/.test(sentences.at(-1) ?? '')) {
          await expect(
            page.getByRole('option', { name: /^table \d+, being written/ }),
          ).toBeVisible();
        }
      }
      const all = sentences.join('\n');
      for (const phase of ['block', 'filter', 'index', 'footer', 'sync', 'manifest', 'installed']) {
        expect(all).toContain(phase);
      }
    },
  },
  {
    names: ['3', 'v', 'layout', 'layout 15'],
    async walk({ page, playground, key }) {
      await playground.run('fill 60 --words --seed 9');
      await playground.run('break before compaction.begin');
      await playground.run('run');
      await playground.run('now');
      await playground.run('step phase 2');
      await key('3');
      await expect(async () => {
        await key('ArrowRight');
        await playground.idle();
        await expect(page.locator('.front.is-first')).toHaveCount(1, { timeout: 200 });
      }).toPass();
      await key('v');
      const reveal = page.getByRole('button', { name: /Reveal/ });
      await expect(reveal).toBeVisible();
      await key('ArrowRight');
      await expect(reveal).toHaveCount(0);
      await key('v');
      await playground.run('break delete all');
      await playground.run('now');
      await playground.run('run');
      const table = page.getByRole('option', { name: /^table \d+, / }).first();
      const number = /^table (\d+)/.exec((await table.getAttribute('aria-label')) ?? '')?.[1];
      await table.click();
      await expect(page.getByRole('tab', { name: 'Selected' })).toHaveAttribute(
        'aria-selected',
        'true',
      );
      expect((await playground.run(`layout ${number}`)).join('\n')).toMatch(/block/);
    },
  },
  {
    names: ['explain get apple', 'stats', 'follow apple', 'follow --off'],
    async walk({ page, playground }) {
      await playground.run('explain get apple');
      await outOfTerminal(page);
      await toLastStop(page);
      await expect(page.locator('.plumb .sign-found .tag')).toContainText('= ');
      expect((await playground.run('stats')).join('\n')).toMatch(/sorted runs? to ask/);
      await playground.run('follow apple');
      await expect(page.getByRole('tabpanel', { name: 'Follow' })).toContainText('a read finds');
      await expect(page.locator('.follow-ring').first()).toBeVisible();
      await playground.run('follow --off');
      await expect(page.locator('.follow-ring')).toHaveCount(0);
    },
  },
  {
    names: [
      'begin; put apple green',
      'get apple --in none',
      'begin; put apple blue; commit; commit 1',
      'begin --serializable',
    ],
    async walk({ playground }) {
      await playground.run('begin; put apple green');
      expect((await playground.run('get apple --in none')).join()).toContain('red');
      const rows = await playground.run('begin; put apple blue; commit; commit 1');
      expect(rows.join(' ')).toMatch(/transaction 1 is rolled back.*"apple".*sequence number \d+/);
    },
  },
  {
    names: ['1', '2', '3', '[', ']', 'put apple blue'],
    async walk({ page, playground, key }) {
      await key('2');
      await key('ArrowLeft');
      await expect(page.getByText(/Viewing the past/)).toBeVisible();
      await key('[');
      await playground.type('put apple blue');
      await expect(page.getByRole('dialog', { name: 'This is the past' })).toBeVisible();
      await page.getByRole('button', { name: /^Cancel|^Stay/ }).click();
      await key('End');
      await expect(page.getByText(/Viewing the past/)).toHaveCount(0);
    },
  },
  {
    names: ['break before compaction', 'break on drop', 'break when l0 >= 4'],
    async walk({ page, playground }) {
      for (const line of ['break before compaction', 'break on drop', 'break when l0 >= 4']) {
        expect((await playground.run(line)).join(' ')).not.toMatch(/no such|usage|there is no/i);
      }
      await playground.run('break delete all');
      await page.getByRole('button', { name: 'Crash' }).click();
      await expect(page.getByRole('dialog', { name: 'Pull the plug' })).toBeVisible();
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Charts' }).click();
      await expect(page.locator('.charts svg').first()).toBeVisible();
    },
  },
  {
    names: ['b', 'g', 'f', 'Esc'],
    async walk({ page, key }) {
      await page
        .getByRole('option', { name: /^table \d+, / })
        .first()
        .click();
      await key('b');
      await expect(page.getByRole('grid', { name: /^Bytes of/ })).toBeVisible();
      await key('Escape');
      await expect(page.getByRole('grid', { name: /^Bytes of/ })).toHaveCount(0);
    },
  },
  {
    names: ['F5', '.', 'Esc', '+', '-', '0', 't', 'i', '?'],
    async walk({ page, key }) {
      await key('F5');
      await expect(page.locator('.app.presented')).toBeVisible();
      await key('.');
      await expect(page.locator('.curtain')).toBeVisible();
      await key('.');
      await key('Escape');
      await expect(page.locator('.app.presented')).toHaveCount(0);
      const scale = () => page.locator('.app').evaluate((app) => app.currentCSSZoom);
      await key('+');
      await expect.poll(scale).toBeCloseTo(1.1);
      await key('0');
      await expect.poll(scale).toBe(1);
      await key('t');
      await expect(page.locator('.terminal-pane.folded')).toBeVisible();
      await key('t');
      await key('i');
      await expect(page.getByRole('complementary', { name: 'Inspector' })).toHaveCount(0);
      await key('i');
      await key('?');
      await expect(page.getByRole('dialog', { name: 'Help' })).toContainText('Clicker');
      await page.keyboard.press('Escape');
    },
  },
  {
    names: [],
    async walk({ page, playground }) {
      await page.reload();
      await playground.ready();
      expect((await playground.run('get apple')).join()).toContain('blue');
    },
  },
];

test('the tour of the playground comes true', async ({ page, site }) => {
  test.slow();
  expect(named()).toEqual(STEPS.map(({ names }) => names));
  page.on('dialog', (dialog) => void dialog.accept());
  const playground = await new Playground(page).open(site.url);
  const key = async (name: string) => {
    await outOfTerminal(page);
    await page.keyboard.press(name);
  };
  for (const [index, step] of STEPS.entries()) {
    await test.step(`step ${index + 1}`, () => step.walk({ page, playground, key }));
  }
});
