import { engine } from '../engine/client';
import type { Engine } from './port';

/** The engine of this page. */
export function connect(): Engine {
  return engine();
}
