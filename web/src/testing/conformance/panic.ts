// The page's own worker, whose engine fails at every command as a bug would.

import { tested as wasm } from './package';
import '../../engine/worker';

wasm.Engine.prototype.begin = () => {
  wasm.panicNow();
  return undefined;
};
