// A static file server for dist/, for `npm start` and for the browser tests.

import { once } from 'node:events';
import { createServer } from 'node:http';

/** Names of files that hold a hash of their content. */
const HASHED = /-[\w-]{8,}\.\w+$/;

/** Answers with the files of `directory`, as they are at each request; with `file.br` or `file.gz` where that is there. */
async function files(directory, headers) {
  // Only here: the packages may not be installed yet when this file is read.
  const { default: sirv } = await import('sirv');
  const setHeaders = (response, name) => {
    const lasting = HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache';
    response.setHeader('cache-control', lasting);
    response.setHeader('x-content-type-options', 'nosniff');
    for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
  };
  const answer = sirv(directory, {
    dev: true,
    brotli: true,
    gzip: true,
    dotfiles: true,
    setHeaders,
  });
  return (request, response) =>
    answer(request, response, () => {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('There is no such file here.\n');
    });
}

async function listen(handler, port, host) {
  const server = createServer(handler).listen(port, host);
  await once(server, 'listening');
  return server;
}

/** The same port on both loopback addresses, because browsers try either for `localhost`. */
async function listenOnLoopback(handler, port) {
  const first = await listen(handler, port, '127.0.0.1');
  const chosen = first.address().port;
  try {
    return { servers: [first, await listen(handler, chosen, '::1')], port: chosen };
  } catch (error) {
    if (error.code !== 'EADDRINUSE') return { servers: [first], port: chosen };
    first.close();
    throw error;
  }
}

/**
 * Serves `directory` on the first free port from `port` on (0: any); each file with `headers`, too.
 * Resolves to the port and a function that stops serving.
 */
export async function serve(directory, { port = 0, tries = 1, headers = {} } = {}) {
  const handler = await files(directory, headers);
  for (let next = port; ; next += 1) {
    try {
      const { servers, port: chosen } = await listenOnLoopback(handler, next);
      const stop = () => {
        for (const server of servers) {
          server.close();
          server.closeAllConnections();
        }
      };
      return { port: chosen, stop };
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || next + 1 >= port + tries) throw error;
    }
  }
}
