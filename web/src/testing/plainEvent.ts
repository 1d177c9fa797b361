import type { MergeStep, WireEvent } from '../model/engine.generated';

type Meaning = Pick<WireEvent, 'touches' | 'landmark' | 'begins' | 'ends' | 'patches'>;

/** The engine's catalogue entry of an event that touches nothing and is no landmark. */
export const PLAIN: Meaning = {
  touches: [],
  landmark: null,
  begins: null,
  ends: null,
  patches: [],
};

/** The same of an operation that is one event long. */
export const OPERATION: Meaning = { ...PLAIN, begins: 'operation' };

/** The verdict of a flush on an entry. */
export const VERDICT: MergeStep = {
  key: { head: 'a', bytes: 1 },
  sequence: 1,
  entry: 'put',
  verdict: 'keptNewest',
  heads: [],
};
