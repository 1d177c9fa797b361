// The engine worker without the page: a test sends requests and sees every message, so it knows exactly which write was
// acknowledged, and can end the worker at any moment.

import type { Page } from '@playwright/test';
import type { Message, Request } from '../../web/src/model/engine.generated';
import type { Site } from './harness';

type Answer = { result: unknown; error: { kind: string; message: string } | null; lines: string[] };
type Opening = Omit<Extract<Request, { type: 'open' }>, 'type'>;
type Opened = Extract<Message, { type: 'opened' | 'owned' | 'failed' }>;

/** The part of the rig that runs in the page. */
type Inside = {
  start(): void;
  open(opening: Opening): Promise<Opened>;
  command(line: string): Promise<Answer>;
  close(): Promise<Message>;
  post(parcel: readonly unknown[]): void;
  terminate(): void;
  messages: Message[];
};

declare global {
  interface Window {
    rig: Inside;
  }
}

function install(workerAddress: string): void {
  let worker: Worker | null = null;
  let last = 0;
  const messages: Message[] = [];
  const waiting = new Map<number, (message: Message) => void>();
  const lines = new Map<number, string[]>();

  const receive = ({ data }: MessageEvent<Message | string>) => {
    const message: Message = typeof data === 'string' ? JSON.parse(data) : data;
    messages.push(message);
    if (message.type === 'output') {
      const texts = message.lines.map((line) => line.spans.map((span) => span.text).join(''));
      lines.set(message.id, [...(lines.get(message.id) ?? []), ...texts]);
    }
    const final = ['opened', 'owned', 'done', 'failed', 'completions', 'closed'];
    if (final.includes(message.type) && 'id' in message && message.id !== null) {
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  };
  const post = (parcel: readonly unknown[]) => {
    if (worker === null) throw new Error('The worker is not running.');
    worker.postMessage(parcel);
  };
  const ask = (request: Request) => {
    last += 1;
    const id = last;
    return new Promise<Message>((resolve) => {
      waiting.set(id, resolve);
      post([JSON.stringify({ id, request })]);
    });
  };
  window.rig = {
    messages,
    post,
    start() {
      worker = new Worker(workerAddress, { type: 'module' });
      worker.onmessage = receive;
    },
    async open(opening) {
      return (await ask({ type: 'open', ...opening })) as Opened;
    },
    async command(line) {
      const done = await ask({ type: 'command', line, at: null });
      if (done.type === 'failed') {
        return { result: null, error: { kind: done.kind, message: done.message }, lines: [] };
      }
      if (done.type !== 'done') throw new Error(`A command was answered by ${done.type}.`);
      const [only, ...more] = done.answers;
      const result =
        more.length > 0 ? done.answers.map(({ value }) => value) : (only?.value ?? null);
      return { result, error: done.error, lines: lines.get(done.id) ?? [] };
    },
    close() {
      return ask({ type: 'close' });
    },
    terminate() {
      worker?.terminate();
      worker = null;
      waiting.clear();
    },
  };
}

/** A page with a running worker that has nothing open yet. */
export async function openRig(page: Page, site: Site): Promise<Rig> {
  await page.goto(`${site.url}rig.html`);
  await page.evaluate(install, new URL(site.worker, site.url).href);
  await page.evaluate(() => window.rig.start());
  return new Rig(page);
}

export class Rig {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  open(opening: Partial<Opening> = {}): Promise<Opened> {
    const usual = { preset: 'classroom', settings: {}, storage: 'auto', takeOver: false } as const;
    const whole: Opening = { ...usual, ...opening };
    return this.page.evaluate((inside) => window.rig.open(inside), whole);
  }

  command(line: string): Promise<Answer> {
    return this.page.evaluate((inside) => window.rig.command(inside), line);
  }

  /** Ends the worker at once, as a crashed tab does, and starts another. */
  restart(): Promise<void> {
    return this.page.evaluate(() => {
      window.rig.terminate();
      window.rig.start();
    });
  }

  /** Closes the database properly. */
  async close(): Promise<void> {
    await this.page.evaluate(() => window.rig.close());
  }

  terminate(): Promise<void> {
    return this.page.evaluate(() => window.rig.terminate());
  }

  /** The origin's files, once the worker has let them go: path → bytes in hexadecimal. */
  files(): Promise<Record<string, string>> {
    return this.page.evaluate(async () => {
      const found: Record<string, string> = {};
      const walk = async (directory: FileSystemDirectoryHandle, prefix: string): Promise<void> => {
        for await (const [name, handle] of directory.entries()) {
          if (handle.kind === 'directory') {
            await walk(handle as FileSystemDirectoryHandle, `${prefix}${name}/`);
            continue;
          }
          const file = await (handle as FileSystemFileHandle).getFile();
          const bytes = new Uint8Array(await file.arrayBuffer());
          found[prefix + name] = [...bytes]
            .map((byte) => byte.toString(16).padStart(2, '0'))
            .join('');
        }
      };
      await walk(await navigator.storage.getDirectory(), '');
      return found;
    });
  }
}
