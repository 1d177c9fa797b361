// One program at a time: it holds a lock on the file LOCK or, where it finds no means to lock a file, a lease, which is
// text in that file. docs/decisions/0074 has the protocol; the native engine keeps to it, too.

import { join } from 'node:path';
import { LevelscopeError } from '../engine/error';
import { flock } from './flock';
import { Lease, LockFile } from './lease';

/** Holds a database for this program. */
export interface Lock {
  /** Throws if another program has taken the database; absent where none can. */
  readonly check?: () => void;
  release(): void;
}

/** Releases for the end of a program that closes nothing: others need not find out that it is gone. */
const atExit = new Set<() => void>();
process.once('exit', () => {
  for (const release of atExit) {
    try {
      release();
    } catch {
      // The others are released all the same, and the system frees what is locked.
    }
  }
});

function released(release: () => void): () => void {
  const once = () => {
    if (atExit.delete(once)) release();
  };
  atExit.add(once);
  return once;
}

function locked(directory: string, hint = 'close it there') {
  const message = `${directory} is open in another program or in another place of this one: ${hint}`;
  return new LevelscopeError({ kind: 'locked', message });
}

/** Takes the database in `directory`. */
export async function lock(directory: string): Promise<Lock> {
  const file = join(directory, 'LOCK');
  const unlock = await flock(file);
  if (unlock === 'taken') throw locked(directory);
  // Elsewhere no program needs a lease.
  if (process.platform !== 'linux' && unlock !== 'impossible') return { release: unlock };
  if (unlock === 'impossible') return leased(directory, new LockFile(file));
  let text: LockFile | undefined;
  const release = released(() => {
    try {
      text?.unmarkLocked();
    } finally {
      text?.close();
      unlock();
    }
  });
  try {
    text = new LockFile(file);
    text.markLocked();
    if (await text.isLeaseAlive()) throw locked(directory);
  } catch (error) {
    release();
    throw error;
  }
  return { release };
}

async function leased(directory: string, text: LockFile): Promise<Lock> {
  try {
    if (await text.isLeaseAlive()) throw locked(directory);
    const lease = new Lease(text, locked(directory).message);
    if (text.isLocked()) {
      lease.release();
      throw locked(
        directory,
        'close it there. If it is open nowhere, a program that locked the file LOCK has died: empty that file. ' +
          'With the program flock (util-linux or BusyBox) in the PATH, Node finds out by itself',
      );
    }
    const release = released(() => {
      lease.release();
      text.close();
    });
    return { check: () => lease.check(), release };
  } catch (error) {
    text.close();
    throw error;
  }
}
