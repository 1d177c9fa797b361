import type { WireEvent } from '../model/engine.generated';

type Meaning = Pick<WireEvent, 'touches' | 'landmark' | 'begins' | 'ends' | 'patches'>;

/** What the engine's catalogue says of an event that touches nothing and is no landmark. */
export const PLAIN: Meaning = {
  touches: [],
  landmark: null,
  begins: null,
  ends: null,
  patches: [],
};

/** The same of an operation that is one event long. */
export const OPERATION: Meaning = { ...PLAIN, begins: 'operation' };
