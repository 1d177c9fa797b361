import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WasmEngine } from '../engine/wasm';
import type { CallState, Failure, Request } from '../model/engine.generated';
import { resultOf } from './answers';

export type { WasmEngine };

const glueFile = '../engine/pkg/levelscope_wasm.js';
const wasmFile = fileURLToPath(new URL('../engine/pkg/levelscope_wasm_bg.wasm', import.meta.url));

/** Loads the built module; one that is not built is a failure, never a skip. */
export async function loadEngine(): Promise<new (place: string) => WasmEngine> {
  if (!existsSync(wasmFile)) throw new Error('The engine is not built: npm run build:wasm');
  const glue = await import(/* @vite-ignore */ glueFile);
  glue.initSync({ module: readFileSync(wasmFile) });
  return glue.Engine;
}

/** Opens the database of an engine with the preset classroom. */
export function openEngine(engine: WasmEngine, settings: Record<string, string> = {}): void {
  const place = { storage: 'memory', takeOver: false } as const;
  const opening = written({ type: 'open', preset: 'classroom', settings, ...place });
  const answer: CallState = JSON.parse(engine.open(opening));
  if (answer.state !== 'done') throw new Error(`The engine answers ${JSON.stringify(answer)}.`);
}

const written = (request: Request): string => JSON.stringify({ id: 1, request });

/** Begins a line. */
export function start(engine: WasmEngine, line: string): void {
  engine.begin(written({ type: 'command', line, at: null }));
}

/** Begins to send some events again. */
export function startWindow(
  engine: WasmEngine,
  from: number,
  to: number,
  branch: number | null = null,
): void {
  engine.begin(written({ type: 'window', branch, from, to, details: false }));
}

/** Runs one line to its end; returns its result. */
export function ask(engine: WasmEngine, line: string): unknown {
  start(engine, line);
  return finish(engine, line).result;
}

/** Lets what has begun end. */
export function finish(
  engine: WasmEngine,
  what: string,
): { result: unknown; error: Failure | null } {
  for (let call = 0; call < 10_000; call += 1) {
    // As many units as the native twin of a test takes: figures are noted after each call.
    const progress = JSON.parse(engine.advance(100));
    if (progress.state !== 'more') {
      return { result: resultOf(progress.answers ?? []), error: progress.error ?? null };
    }
  }
  throw new Error(`${what} does not end`);
}
