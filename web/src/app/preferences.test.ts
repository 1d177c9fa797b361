import { expect, it } from 'vitest';
import { audienceScale } from './preferences';

it('lets the audience’s window grow as it is set, as long as the picture is whole', () => {
  const at = (innerWidth: number, innerHeight: number) => (preferred: number) =>
    audienceScale(preferred, { innerWidth, innerHeight });
  const hall = at(1920, 1080);
  expect(hall(1)).toBeCloseTo(2.25);
  expect(hall(1.3)).toBeGreaterThan(hall(1.2));
  for (const [width, height] of [
    [640, 400],
    [1024, 768],
    [1280, 720],
    [1920, 1080],
    [3840, 2160],
  ] as const) {
    for (const preferred of [0.8, 1, 1.3, 1.6]) {
      const scale = at(width, height)(preferred);
      expect(width / scale, `${width} at ${preferred}`).toBeGreaterThanOrEqual(600);
    }
  }
});
