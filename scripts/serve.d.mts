/** Serves `directory` under `base` on the first free port from `port` on (0: any). */
export function serve(
  directory: string,
  options?: {
    port?: number;
    tries?: number;
    base?: string;
    headers?: Record<string, string>;
    packed?: boolean;
  },
): Promise<{ port: number; stop: () => void }>;
