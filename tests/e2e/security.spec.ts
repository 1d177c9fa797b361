// The Content-Security-Policy is as tight as possible, and a whole tour of the page causes no violation.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from './harness';
import { Playground } from './playground';

// The service worker is part of the tour.
test.use({ serviceWorkers: 'allow' });

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types levelscope',
].join('; ');

test('the policy is this one, word for word, and comes first', () => {
  const page = readFileSync(
    fileURLToPath(new URL('../../dist/index.html', import.meta.url)),
    'utf8',
  );
  const policies = [
    ...page.matchAll(/<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"]*)"/g),
  ];
  expect(policies.map(([, content]) => content)).toEqual([POLICY]);
  expect(policies[0]?.index).toBeLessThan(page.search(/<script|<link|<style/));
});

test('a tour of every view meets no violation, and the terminal has its colours', async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(window, { violations });
    document.addEventListener('securitypolicyviolation', (event) => {
      violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 90 --words --seed 7; run; fill 40 --words --seed 9; step phase 14');
  await playground.run('explain get apple --detail');
  await playground.run('nonsense');
  for (const tab of ['Now', 'Selected', 'Bytes', 'Read', 'Why', 'Charts', 'Stats']) {
    await page.getByRole('tab', { name: tab }).click();
  }
  await playground.button('As table').first().click();
  await page.keyboard.press('Escape');
  await playground.button('Files').click();
  await expect(page.getByRole('region', { name: 'Bytes of files' })).toBeVisible();
  await playground.button('Experiments').click();
  await playground.run('lab L1');
  await expect(page.locator('.drawing svg').first()).toBeVisible();
  const download = page.waitForEvent('download', { timeout: 60_000 });
  await page.locator('.drawing').getByRole('button', { name: /PNG/i }).first().click();
  await download;
  await playground.button('Help').click();
  await page.keyboard.press('Escape');
  // Rules of xterm.js itself: colours and sizes are those of the theme.
  const bad = page.locator('.xterm-rows span[class*="xterm-fg"]').first();
  await expect(bad).toBeAttached();
  const styled = await bad.evaluate((span) => [
    getComputedStyle(span).color !== getComputedStyle(span.parentElement ?? span).color,
    document.adoptedStyleSheets.length > 0,
    document.querySelectorAll('style').length,
  ]);
  expect(styled).toEqual([true, true, 0]);
  const violations = await page.evaluate(
    () => (window as unknown as { violations: string[] }).violations,
  );
  expect(violations).toEqual([]);
});

test('markup and addresses of others run nothing', async ({ page, site, complaints }) => {
  await new Playground(page).open(site.url);
  const refused = await page.evaluate(async () => {
    const attempts: Record<string, () => unknown> = {
      markup: () => {
        Reflect.set(document.createElement('div'), 'innerHTML', '<img src=x onerror=alert(1)>');
      },
      worker: () => new Worker('assets/other.js'),
      policy: () =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
        ).trustedTypes.createPolicy('another', {}),
      fetch: () => fetch('http://127.0.0.1:9/'),
    };
    const names: string[] = [];
    for (const [name, attempt] of Object.entries(attempts)) {
      try {
        await attempt();
      } catch {
        names.push(name);
      }
    }
    return names;
  });
  expect(refused).toEqual(['markup', 'worker', 'policy', 'fetch']);
  complaints.length = 0;
});
