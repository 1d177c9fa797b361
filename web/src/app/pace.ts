/** Calls back once, before a picture is drawn. */
export type Schedule = (callback: () => void) => void;

/** Pictures may take this share of the time; the rest is for everything else. */
const REST = 2;

/**
 * Once a frame while drawing is quick, less often when it is not: a slow machine shows fewer pictures,
 * but goes on answering. A hidden page draws none and goes on all the same.
 */
export function framePace(): Schedule {
  let notBefore = 0;
  return (callback) => {
    const draw = () => {
      const start = performance.now();
      callback();
      const end = performance.now();
      notBefore = end + REST * (end - start);
    };
    const wait = notBefore - performance.now();
    if (document.hidden) setTimeout(draw, 200);
    else if (wait > 16) setTimeout(() => requestAnimationFrame(draw), wait - 16);
    else requestAnimationFrame(draw);
  };
}
