import { SPEEDS as ENGINE_SPEEDS } from './engine.generated';

/** How fast Play goes, with the name that the page gives each speed. */
export const SPEEDS = ENGINE_SPEEDS.map((speed) => ({
  ...speed,
  name: speed.word === '0.5' ? '½×' : speed.word === 'max' ? 'max' : `${speed.word}×`,
}));
