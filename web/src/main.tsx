// First: the styles of every part build on these.
import './styles/index.css';
// With the others: a file of its own would be one more to be kept for times without a network.
import './views/Handout/Handout.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { showEmbedded } from './app/embed';
import { Lab } from './app/lab';
import { loadOpening } from './app/opening';
import { connect } from './app/port';
import { localStore } from './app/preferences';
import { makeStylesStrict } from './app/strictStyles';
import { handoutIn } from './model/handout';
import { OfflineCopy } from './offline/copy';
import { presentationIn } from './present/address';

makeStylesStrict(document);

const root = document.getElementById('root');
const presentation = presentationIn(window.location.hash);
const handout = handoutIn(window.location.hash);
if (root && presentation !== null) {
  // The audience's window draws what the presenter's has computed: it has no engine of its own.
  void import('./app/otherWindows').then(({ showAudience }) => showAudience(root, presentation));
} else if (root && handout !== null) {
  void import('./app/otherWindows').then(({ showHandout }) => showHandout(root, handout));
} else if (root && !showEmbedded(root)) {
  showLab(root);
}

function showLab(host: HTMLElement): void {
  // One worker and one lab a page, outside React: StrictMode mounts components twice.
  const lab = new Lab(connect(), localStore());
  const opened = lab.open({ ...loadOpening(localStore()), storage: 'auto', takeOver: false });

  // The copy for times without a network must not delay the first picture. In development, files change without a build.
  const copy = new OfflineCopy(window);
  if (import.meta.env.PROD) {
    void opened.then(painted).then(() => copy.begin());
  }
  createRoot(host).render(
    <StrictMode>
      <App lab={lab} copy={copy} onReload={() => window.location.reload()} />
    </StrictMode>,
  );
}

/** Resolves after the next picture is on the screen. */
async function painted(): Promise<void> {
  const frame = () => new Promise((drawn) => window.requestAnimationFrame(drawn));
  await frame();
  await frame();
}
