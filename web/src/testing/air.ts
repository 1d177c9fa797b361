import type { Channel } from '../app/presentation';

/** Windows that hear each other at once. */
export class Air {
  private readonly all = new Set<Channel & { name: string }>();

  open = (name: string): Channel => {
    const { all } = this;
    const channel = {
      name,
      onmessage: null as Channel['onmessage'],
      postMessage(data: unknown) {
        const copy = structuredClone(data);
        for (const other of all) {
          if (other !== channel && other.name === name) {
            (other.onmessage as ((event: { data: unknown }) => void) | null)?.({ data: copy });
          }
        }
      },
      close: () => void all.delete(channel as never),
    };
    all.add(channel as never);
    return channel as unknown as Channel;
  };
}
