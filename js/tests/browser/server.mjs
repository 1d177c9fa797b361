// The site that the browsers of the tests load: the package as it is published, the suite, and empty pages.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

const types = {
  html: 'text/html',
  js: 'text/javascript',
  mjs: 'text/javascript',
  wasm: 'application/wasm',
};

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<title>levelscope</title>
<link rel="icon" href="data:," />
<h1>levelscope</h1>
`;

/** The suite with all that it requires, as a browser can load it. */
async function bundledSuite() {
  const { outputFiles } = await build({
    absWorkingDir: here('../..'),
    entryPoints: [here('suite.mjs')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    define: { global: 'globalThis' },
    logLevel: 'warning',
    write: false,
  });
  return outputFiles[0].contents;
}

/** Serves `dist`, this directory under /test/, the suite, and an empty page for every other address. */
export async function serve() {
  const suite = await bundledSuite();
  const content = async (pathname) => {
    if (pathname === '/suite.js') return suite;
    if (/^\/test\/[\w.]+\.mjs$/.test(pathname)) return readFile(here(pathname.slice(6)));
    if (/^\/[\w-]+\.(?:js|wasm)$/.test(pathname)) return readFile(here(`../../dist${pathname}`));
    return page;
  };
  const server = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const type = types[/\.(\w+)$/.exec(pathname)?.[1] ?? 'html'] ?? 'text/html';
    try {
      const body = await content(pathname);
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  return {
    url: `http://localhost:${port}/`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
