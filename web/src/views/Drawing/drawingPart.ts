import { lazyPart } from '../shared/lazyPart';

/** The part of the page that draws charts. */
export const drawing = lazyPart(() => import('./Drawing'));
