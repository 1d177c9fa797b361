// The scale of the key axis of all pictures of this page: nothing is remembered.

import { useSyncExternalStore } from 'react';
import { createStore } from '../../../web/src/model/store';
import type { KeyScale } from '../../../web/src/views/Stage/scene/axis';

const scale = createStore<KeyScale>('rank');

export const useKeyScale = () => useSyncExternalStore(scale.subscribe, scale.get);

export const setKeyScale = (next: KeyScale) => scale.update(() => next);
