// The scale of the key axis of all pictures of this page: nothing is remembered.

import { useSyncExternalStore } from 'react';
import type { KeyScale } from '../../../web/src/views/Stage/scene/axis';
import { Store } from './store';

const scale = new Store<KeyScale>('rank');

export const useKeyScale = () => useSyncExternalStore(scale.subscribe, scale.get);

export const setKeyScale = (next: KeyScale) => scale.set(next);
