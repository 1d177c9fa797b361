// One program at a time. The system frees the lock when the program dies: none is ever left over.

import { closeSync, constants, openSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { LevelscopeError } from '../engine/error';

/** Length of the longest name of a socket [bytes]. */
const NAME_BYTES = 107;

/** Holds a database for this program. */
export interface Lock {
  release(): Promise<void>;
}

/** macOS: an exclusive lock on the open file; refused at once. */
const O_EXLOCK = 0x20;
/** Windows, by way of libuv: no other handle. */
const UV_FS_O_EXLOCK = 0x1000_0000;

function locked(directory: string) {
  const message = `${directory} is open in another program or in another place of this one: close it there`;
  return new LevelscopeError({ kind: 'locked', message });
}

const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** Takes the database in `directory`. */
export function lock(directory: string): Promise<Lock> {
  const file = join(directory, 'LOCK');
  // Node has no flock, but Linux has names for sockets that vanish with their program. Device and inode name the file
  // however it is reached, and the native engine takes the same name.
  if (process.platform === 'linux') return listenOn(directory, file);
  return Promise.resolve(openAlone(directory, file));
}

async function listenOn(directory: string, file: string): Promise<Lock> {
  closeSync(openSync(file, 'a'));
  const { dev, ino } = statSync(file, { bigint: true });
  const name = `levelscope-${dev.toString(16)}-${ino.toString(16)}-`;
  // Older versions of Node make short names longer, and Bun cannot have the longest one: so both are taken.
  const held: Server[] = [];
  const release = async () => void (await Promise.all(held.map(closed)));
  for (const path of [name, name.padEnd(NAME_BYTES, '.')]) {
    try {
      held.push(await listening(`\0${path}`));
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EINVAL' && held.length > 0) continue;
      await release();
      throw code === 'EADDRINUSE' ? locked(directory) : error;
    }
  }
  return { release };
}

function listening(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    // Not shared with the other workers of a cluster.
    server.listen({ path, exclusive: true }, () => resolve(server));
    server.unref();
  });
}

const closed = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()));

function openAlone(directory: string, file: string): Lock {
  const alone = process.platform === 'win32' ? UV_FS_O_EXLOCK : O_EXLOCK | constants.O_NONBLOCK;
  try {
    const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT | alone);
    return { release: async () => closeSync(descriptor) };
  } catch (error) {
    const isTaken = ['EAGAIN', 'EWOULDBLOCK', 'EBUSY', 'EACCES'].includes(String(codeOf(error)));
    throw isTaken ? locked(directory) : error;
  }
}
