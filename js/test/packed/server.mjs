// Serves the files of a directory, as any web server does.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** Serves `directory`; its address, and a way to stop. */
export async function serve(directory) {
  const server = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const name = pathname === '/' ? '/index.html' : normalize(pathname);
    try {
      const body = await readFile(join(directory, name));
      response.writeHead(200, { 'content-type': types[extname(name)] ?? 'text/plain' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://localhost:${server.address().port}/`,
    close: () => new Promise((closed) => server.close(closed).closeAllConnections()),
  };
}
