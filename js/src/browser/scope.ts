// The kind of thread that this code runs in.

/** Whether this thread is a dedicated worker: no other can open files. */
export function isDedicatedWorker(): boolean {
  const scope: unknown = Reflect.get(globalThis, 'DedicatedWorkerGlobalScope');
  return typeof scope === 'function' && globalThis instanceof scope;
}
