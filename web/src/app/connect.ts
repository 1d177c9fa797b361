import { engine } from '../engine/client';
import type { EnginePort } from './port';

/** The engine of this page. */
export function connect(): EnginePort {
  return engine();
}
