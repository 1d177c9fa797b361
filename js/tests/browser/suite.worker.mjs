// The official suite in a dedicated worker, which opens its files itself.

import { suiteOn } from './page.mjs';

addEventListener('message', ({ data: half }) =>
  suiteOn('origin', half).then(
    (result) => postMessage(result),
    (error) => postMessage({ error: String(error?.stack ?? error) }),
  ),
);
