// Takes the pictures that playwright.config.mjs describes; what leads to each view is in situations.mjs.

import { join } from 'node:path';
import { test } from '@playwright/test';
import { path } from '../../scripts/lib.mjs';
import { VIEWS } from './situations.mjs';
import { visitor } from './visitor.mjs';

const directory = process.env.INTO ?? path('docs/images');

for (const [name, view] of Object.entries(VIEWS)) {
  test(name, async ({ page }, { project }) => {
    await page.goto('');
    const at = visitor(page);
    await at.prompt();
    // The page reads single keys once it has answered a command.
    await at.run('clear');
    await view(at);
    // Answers of the engine, and what follows at leisure.
    await page.waitForTimeout(800);
    await page.screenshot({ path: join(directory, `${name}-${project.name}.png`) });
  });
}
