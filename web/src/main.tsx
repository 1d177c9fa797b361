// First: the styles of every part build on these.
import './styles/index.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { connect } from './app/connect';
import { Lab } from './app/lab';
import { loadOpening } from './app/opening';
import { localStore } from './app/preferences';
import { makeStylesStrict } from './app/strictStyles';

makeStylesStrict(document);

// One worker and one lab a page, outside React: StrictMode mounts components twice.
const lab = new Lab(connect(), localStore());
void lab.open({ ...loadOpening(localStore()), storage: 'auto', takeOver: false });

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App lab={lab} onReload={() => window.location.reload()} />
    </StrictMode>,
  );
}
