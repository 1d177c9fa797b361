import { afterAll, beforeAll } from 'vitest';

const HEIGHTS = ['clientHeight', 'offsetHeight'] as const;

/** Without layout nothing has a height: for the tests of a file, a screen of 400 px is given to whatever asks. */
export function giveHeights(): void {
  const before = HEIGHTS.map((name) =>
    Object.getOwnPropertyDescriptor(HTMLElement.prototype, name),
  );
  beforeAll(() => {
    for (const name of HEIGHTS) {
      Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => 400 });
    }
  });
  afterAll(() => {
    for (const [index, name] of HEIGHTS.entries()) {
      const descriptor = before[index];
      if (descriptor) Object.defineProperty(HTMLElement.prototype, name, descriptor);
    }
  });
}
