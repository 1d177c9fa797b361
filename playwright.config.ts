import { defineConfig } from '@playwright/test';

// The production build is served by each worker of the runner under a sub-path; see tests/e2e/harness.ts.
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  // One more than the usual number of cores here: each waits for its page for a good part of its time.
  workers: 3,
  fullyParallel: false,
  forbidOnly: true,
  // Once more, in a browser of its own: `npm test` names each test that needed it, so that none is forgotten.
  retries: 1,
  // Against tests that hang, not against slow machines.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  // A copy of the page in the browser would answer what tests change or stop on the server; offline.spec.ts allows it.
  use: { serviceWorkers: 'block' },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
});
