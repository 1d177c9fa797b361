/** Serves `directory` on the first free port from `port` on (0: any). */
export function serve(
  directory: string,
  options?: { port?: number; tries?: number; headers?: Record<string, string> },
): Promise<{ port: number; stop: () => void }>;
