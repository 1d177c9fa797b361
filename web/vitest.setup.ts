import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// What a test waits for comes when the machine gets to it: only a wait for what never comes may fail.
configure({ asyncUtilTimeout: 60_000 });

afterEach(cleanup);

// jsdom has no layout: the few browser calls that the terminal and the panels make at start get inert stand-ins.
class InertResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

globalThis.ResizeObserver ??= InertResizeObserver;
if (typeof window !== 'undefined') {
  window.matchMedia ??= (media: string): MediaQueryList => ({
    matches: false,
    media,
    onchange: null,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
    dispatchEvent: () => false,
  });
  HTMLCanvasElement.prototype.getContext = () => null;
  Element.prototype.scrollIntoView ??= () => {};
}
