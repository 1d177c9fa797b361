// levelscope/view: defines the element <levelscope-view>.

import { LevelscopeView } from './element';

// Two copies of the package may be on one page: the first one draws.
if (customElements.get('levelscope-view') === undefined) {
  customElements.define('levelscope-view', LevelscopeView);
}

export { LevelscopeView };
