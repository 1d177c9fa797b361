// A static file server for dist/, for `npm start` and for the browser tests.

import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { createGzip } from 'node:zlib';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The file that an address names, or `null` when it names none inside `directory`. */
function fileFor(directory, base, address) {
  let wanted;
  try {
    wanted = decodeURIComponent(new URL(address, 'http://localhost').pathname);
  } catch {
    return null;
  }
  if (!wanted.startsWith(base) || wanted.includes('\0')) return null;
  const inside = normalize(wanted.slice(base.length)).replace(/^[/\\]+/, '');
  if (inside === '..' || inside.startsWith(`..${sep}`)) return null;
  const file = join(
    directory,
    inside === '.' || inside === '' || inside.endsWith(sep) ? join(inside, 'index.html') : inside,
  );
  try {
    return statSync(file).isFile() ? file : null;
  } catch {
    return null;
  }
}

function answer({ directory, base, headers, packed }, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const file = fileFor(directory, base, request.url ?? '/');
  if (file === null) {
    response
      .writeHead(404, { 'content-type': 'text/plain; charset=utf-8' })
      .end('There is no such file here.\n');
    return;
  }
  const hashed = /-[\w-]{8,}\.\w+$/.test(file);
  response.writeHead(200, {
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    'x-content-type-options': 'nosniff',
    ...(packed ? { 'content-encoding': 'gzip' } : {}),
    ...headers,
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const content = createReadStream(file).on('error', () => response.destroy());
  if (packed) content.pipe(createGzip({ level: 9 })).pipe(response);
  else content.pipe(response);
}

function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address().port);
    });
  });
}

/** The same port on both loopback addresses, because browsers try either for `localhost`. */
async function listenOnLoopback(handler, port) {
  const first = createServer(handler);
  const chosen = await listen(first, port, '127.0.0.1');
  const second = createServer(handler);
  try {
    await listen(second, chosen, '::1');
    return { servers: [first, second], port: chosen };
  } catch (error) {
    if (error.code !== 'EADDRINUSE') return { servers: [first], port: chosen };
    first.close();
    throw error;
  }
}

/**
 * Serves `directory` under `base` on the first free port from `port` on (0: any); each file with `headers`, too, and
 * `packed` with gzip.
 * Resolves to the port and a function that stops serving.
 */
export async function serve(
  directory,
  { port = 0, tries = 1, base = '/', headers = {}, packed = false } = {},
) {
  const site = { directory, base, headers, packed };
  const handler = (request, response) => answer(site, request, response);
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
