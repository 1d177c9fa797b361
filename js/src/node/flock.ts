// An exclusive lock on a file: the kernel keeps it for all programs and containers that reach the file, and frees it
// when its holder dies. Node has no function for it.

import { spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';

/** macOS: an exclusive lock on the open file; refused at once. */
const O_EXLOCK = 0x20;
/** Windows, by way of libuv: no other handle. */
const UV_FS_O_EXLOCK = 0x1000_0000;

/** Gives the lock back. */
export type Unlock = () => void;

/** `taken`: another program has it; `impossible`: here is no means to lock a file. */
export type Flock = Unlock | 'taken' | 'impossible';

/** The identity of a file. */
interface Identity {
  readonly dev: number;
  readonly ino: number | null;
}

interface DenoFile {
  statSync(): Identity;
  tryLockSync?(exclusive: boolean): boolean;
  close(): void;
}

interface DenoRuntime {
  openSync(path: string, options: { read: boolean; write: boolean; create: boolean }): DenoFile;
}

export const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** A lock that is held, and the file that has it. */
interface HeldLock {
  readonly unlock: Unlock;
  readonly identity: () => Identity;
}

type Attempt = HeldLock | 'taken' | 'impossible';

const held = (descriptor: number): HeldLock => ({
  unlock: () => closeSync(descriptor),
  identity: () => fstatSync(descriptor),
});

/** Locks `file`, which is created if it is absent. */
export async function flock(file: string): Promise<Flock> {
  for (;;) {
    const outcome = await once(file);
    if (typeof outcome === 'string') return outcome;
    // One that was opened, and removed with its database before it was locked, excludes no other program.
    if (isStill(file, outcome.identity)) return outcome.unlock;
    outcome.unlock();
  }
}

function isStill(file: string, identity: () => Identity): boolean {
  // There an open file cannot be removed.
  if (process.platform === 'win32') return true;
  const [mine, now] = [identity(), statSync(file, { throwIfNoEntry: false })];
  return mine.ino === now?.ino && mine.dev === now?.dev;
}

function once(file: string): Attempt | Promise<Attempt> {
  const { Deno } = globalThis as { readonly Deno?: DenoRuntime };
  if (Deno !== undefined) return byDeno(Deno, file);
  return process.platform === 'linux' ? byProgram(file) : atOpening(file);
}

function byDeno(deno: DenoRuntime, file: string): Attempt {
  const opened = deno.openSync(file, { read: true, write: true, create: true });
  if (opened.tryLockSync?.(true)) {
    return { unlock: () => opened.close(), identity: () => opened.statSync() };
  }
  opened.close();
  return opened.tryLockSync === undefined ? 'impossible' : 'taken';
}

/** The lock belongs to the open file, which the program `flock` inherits as its descriptor 3: it stays when `flock` ends. */
async function byProgram(file: string): Promise<Attempt> {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT);
  const outcome = await outcomeOf(descriptor);
  if (outcome === 'locked') return held(descriptor);
  closeSync(descriptor);
  return outcome;
}

function outcomeOf(descriptor: number): Promise<'locked' | 'taken' | 'impossible'> {
  return new Promise((resolve) => {
    const run = () =>
      spawn('flock', ['-x', '-n', '3'], { stdio: ['ignore', 'ignore', 'pipe', descriptor] });
    let child: ReturnType<typeof run>;
    try {
      child = run();
    } catch {
      resolve('impossible');
      return;
    }
    // Both implementations end with 1 where the lock is taken. Busybox does so for failures, too, and prints them.
    let complaint = '';
    child.stderr?.on('data', (text) => {
      complaint += text;
    });
    child.on('error', () => resolve('impossible'));
    child.on('close', (code) => {
      if (code === 0) resolve('locked');
      else resolve(code === 1 && complaint === '' ? 'taken' : 'impossible');
    });
  });
}

function atOpening(file: string): Attempt {
  const alone = process.platform === 'win32' ? UV_FS_O_EXLOCK : O_EXLOCK | constants.O_NONBLOCK;
  try {
    return held(openSync(file, constants.O_RDWR | constants.O_CREAT | alone));
  } catch (error) {
    const isTaken = ['EAGAIN', 'EWOULDBLOCK', 'EBUSY', 'EACCES'].includes(String(codeOf(error)));
    if (isTaken) return 'taken';
    throw error;
  }
}
