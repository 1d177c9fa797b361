// Where this code runs.

/** Whether this is a dedicated worker: the only kind of thread that can open files. */
export function isDedicatedWorker(): boolean {
  const scope: unknown = Reflect.get(globalThis, 'DedicatedWorkerGlobalScope');
  return typeof scope === 'function' && globalThis instanceof scope;
}
