import { Lens } from '../lens/lens';

/** A lens for pages that open no directory. */
export function noLens(): Lens {
  const refuse = (): never => {
    throw new Error('There is no worker here.');
  };
  return new Lens({ start: refuse, sample: refuse });
}
