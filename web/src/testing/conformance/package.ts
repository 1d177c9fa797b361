// The engine's package as built with the feature `conformance`: the bundle of these workers puts it in the place of the
// page's own package, and this adds the types of what it exports besides.

import * as wasm from '../../engine/pkg/levelscope_wasm.js';

interface Extras {
  conformanceFiles(): string[];
  conformanceCases(): string[];
  /** The failure, or nothing. */
  runConformance(name: string): string | undefined;
  panicNow(): void;
}

export const tested = wasm as typeof wasm & Extras;
