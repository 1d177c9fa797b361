// The worker's side with the real module, on the samples that come with the page.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Completion } from '../model/engine.generated';
import { blobOf, readSlice } from '../testing/slices';
import { findCentral, TAIL_BYTES } from './central';
import type { LensFailure } from './failure';
import type { HostSurroundings } from './host';
import {
  type Answer,
  type Call,
  type CallName,
  LensHost,
  type LensMessage,
  type LensWasm,
} from './host';
import type { CheckOutcome, Overview } from './lens.generated';
import type { Ran, Source } from './protocol';

const at = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const glueFile = './pkg/levelscope_lens.js';

let wasm: LensWasm;

beforeAll(async () => {
  const file = at('pkg/levelscope_lens_bg.wasm');
  if (!existsSync(file)) throw new Error('The lens is not built: npm run build:wasm');
  const glue = await import(/* @vite-ignore */ glueFile);
  glue.initSync({ module: readFileSync(file) });
  wasm = glue;
});

const sample = (engine: string): Source => ({
  kind: 'zip',
  name: `${engine}.zip`,
  archive: blobOf(readFileSync(at(`pkg/${engine}.zip`))),
});

function hosted(load: HostSurroundings['load'] = async () => wasm, now = () => 0) {
  const sent: LensMessage[] = [];
  let wake = () => {};
  const host = new LensHost({
    load,
    send: (message) => {
      sent.push(message);
      wake();
    },
    readSlice,
    now,
    breathe: async () => {},
  });
  let id = 0;
  /** The end of a call: its answer, or its failure. */
  const end = async <Name extends CallName>(name: Name, ...args: Call<Name>['args']) => {
    id += 1;
    const own = id;
    host.receive({ id: own, name, args });
    for (;;) {
      const message = sent.find((each) => each.id === own && !('progress' in each));
      if (message !== undefined)
        return message as { answer: Answer<Name> } | { failure: LensFailure };
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const ask = async <Name extends CallName>(
    name: Name,
    ...args: Call<Name>['args']
  ): Promise<Answer<Name>> => {
    const message = await end(name, ...args);
    if ('failure' in message) throw new Error(JSON.stringify(message));
    return message.answer;
  };
  return { sent, ask, end };
}

/** Writes another size of a file into the list of an archive. */
function lieAbout(bytes: Uint8Array, name: string): void {
  const { offset } = findCentral(bytes.slice(-TAIL_BYTES), bytes.length);
  const at = new TextDecoder('latin1').decode(bytes).indexOf(name, offset);
  // Before the name stands its folder, `odd ö/` in UTF-8.
  new DataView(bytes.buffer).setUint32(at - 7 - 46 + 24, 1000, true);
}

async function answer<Answer>(message: Promise<string | { text: string }>): Promise<Answer> {
  const text = await message;
  return JSON.parse(typeof text === 'string' ? text : text.text);
}

describe('the host', () => {
  it.each([
    ['rocksdb', 'RocksDB'],
    ['pebble', 'Pebble'],
    ['leveldb', 'LevelDB'],
  ])('opens the sample of %s', async (engine, name) => {
    const { ask } = hosted();
    const opened = await ask('open', sample(engine), null);
    expect(opened).toMatchObject({ folder: expect.stringMatching(/_history\/$/) });
    const overview = await answer<Overview>(ask('ask', { ask: 'overview' }));
    expect(overview).toMatchObject({ engine, engineName: name, problems: [] });
    const check = await answer<CheckOutcome>(ask('ask', { ask: 'check', deep: true }));
    expect(check.extent).toBe('every checksum was compared and every entry decoded');
    expect(check.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('writes a table, a part at a time, and the table of a report', async () => {
    const { ask, sent } = hosted();
    await ask('open', sample('leveldb'), null);
    const made = await ask('exportTable', 0, { lossy: false, skipDamage: false }, 'table');
    const bytes = new Uint8Array(await made.table.arrayBuffer());
    // The magic number of RocksDB's tables.
    expect([...bytes.slice(-8)]).toEqual([0xf7, 0xcf, 0xf4, 0x85, 0xb7, 0x41, 0xe2, 0x88]);
    expect(sent.some((message) => 'progress' in message && message.progress.done > 0)).toBe(true);
    // The same entries as a log, which is neither packed nor indexed.
    const log = await ask('exportTable', 0, { lossy: false, skipDamage: false }, 'log');
    expect(log.table.size).toBeGreaterThan(1000);
    expect(log.losses).toEqual(made.losses);
    const query = { ask: 'report', id: 'sizes', family: null, key: null } as const;
    expect(await ask('csv', query)).toEqual(expect.stringMatching(/^level,prefix,.*\r\n/));
  });

  it('runs lines of a terminal, reports how much they have read, and completes words', async () => {
    let clock = 0;
    const { ask, end, sent } = hosted(undefined, () => {
      clock += 1000;
      return clock;
    });
    const run = async (line: string, step: number | null) =>
      answer<Ran>(ask('run', line, { family: 0, step }));
    expect(await end('run', 'stats', { family: 0, step: null })).toMatchObject({
      failure: { kind: 'invalid', message: 'No directory is open.' },
    });
    await ask('open', sample('rocksdb'), null);
    const text = ({ lines }: Ran) =>
      lines.map(({ spans }) => spans.map((span) => span.text).join('')).join('\n');
    const ran = await run('goto 3', null);
    expect(ran).toMatchObject({ failure: null, hasChecked: false, family: 0, step: 3 });
    expect(text(await run('levels', 3))).toMatch(/^L0 +1 table, 2.1 KiB\n +9 [^\n]*$/);
    sent.length = 0;
    expect(await run('check', 3)).toMatchObject({ failure: null, hasChecked: true, step: 3 });
    expect(sent.some((message) => 'progress' in message && message.progress.done > 0)).toBe(true);
    const refused = await run('put a 1', null);
    expect(refused.failure?.message).toMatch(/only read/);
    const items = await answer<Completion[]>(ask('complete', 'lay', 3));
    expect(items).toEqual([{ text: 'layout', kind: 'verb', from: 0 }]);
  });

  it('opens an archive without the files that cannot be unpacked, and names them', async () => {
    const directory = fileURLToPath(
      new URL('../../../tests/fixtures/lsm/m_levels', import.meta.url),
    );
    const names = readdirSync(directory);
    const content = names.map((name) => [`odd ö/${name}`, readFileSync(`${directory}/${name}`)]);
    const zeros = new Uint8Array(32 << 20);
    for (const bomb of ['000052.sst', 'LOG', 'IDENTITY', 'OPTIONS-000007', '000051.log', 'x.txt']) {
      const files = { ...Object.fromEntries(content), [`odd ö/${bomb}`]: zeros };
      const archive = zipSync(files, { level: 9 });
      // One archive records the true size, the other a false one: unpacking finds it.
      for (const lie of [false, true]) {
        const bytes = archive.slice();
        if (lie) lieAbout(bytes, bomb);
        const { ask } = hosted();
        const source = { kind: 'zip', name: 'a.zip', archive: blobOf(bytes) } as const;
        const opened = await ask('open', source, null);
        expect(opened, `${bomb} ${lie}`).toMatchObject({ folder: 'odd ö/' });
        const overview = await answer<Overview>(ask('ask', { ask: 'overview' }));
        const found = [...('leftOut' in opened ? opened.leftOut : []), ...overview.problems];
        const isRead = !lie || !['IDENTITY', 'LOG', 'x.txt', '000052.sst'].includes(bomb);
        if (isRead)
          expect(
            found.map(({ file }) => file),
            `${bomb} ${lie}`,
          ).toContain(bomb);
      }
    }
  });

  it('reports which files were left out when a directory does not open without them', async () => {
    const directory = fileURLToPath(
      new URL('../../../tests/fixtures/lsm/m_levels', import.meta.url),
    );
    const content = readdirSync(directory).map(
      (name) => [`x/${name}`, readFileSync(`${directory}/${name}`)] as const,
    );
    const files: Record<string, Uint8Array> = Object.fromEntries(content);
    const manifest = Object.keys(files).find((name) => /MANIFEST-\d+$/.test(name)) ?? '';
    const open = async (bytes: Uint8Array) => {
      const source = { kind: 'zip', name: 'a.zip', archive: blobOf(bytes) } as const;
      const message = await hosted().end('open', source, null);
      if (!('failure' in message)) throw new Error(JSON.stringify(message));
      return message.failure;
    };
    const notes = { 'x/notes.txt': new Uint8Array(3) };
    const huge = await open(zipSync({ ...notes, [manifest]: new Uint8Array(32 << 20) }));
    expect(huge.kind).toBe('too_large');
    expect(huge.message).toMatch(
      /Left out of the archive: x\/MANIFEST-\d+, because it would inflate from .* to 32\.0 MiB, more than/,
    );

    const unread = zipSync(files);
    const view = new DataView(unread.buffer);
    let { offset } = findCentral(unread.slice(-TAIL_BYTES), unread.length);
    for (
      ;
      view.getUint32(offset, true) === 0x02014b50;
      offset += 46 + view.getUint16(offset + 28, true)
    )
      view.setUint16(offset + 10, 14, true);
    expect(await open(zipSync({}))).toEqual({
      kind: 'not_read',
      message: 'The archive a.zip has no files.',
    });
    const others = content.length - 1;
    expect(await open(unread)).toEqual({
      kind: 'not_read',
      message: expect.stringMatching(
        new RegExp(
          `^No file of the archive a\\.zip can be read\\. Left out of the archive: x/CURRENT, because the archive packs it by method 14; and ${others} other files\\.$`,
        ),
      ),
    });
  });

  it('reports how much it has read while it opens', async () => {
    const { ask, sent } = hosted();
    await ask('open', sample('rocksdb'), null);
    await ask('ask', { ask: 'overview' });
    const progress = sent.flatMap((message) => ('progress' in message ? [message.progress] : []));
    expect(progress[0]).toEqual({ done: 0, total: null, files: 64 });
  });

  it('makes a table that loses something only when that is allowed', async () => {
    const directory = fileURLToPath(
      new URL('../../../tests/fixtures/lsm/e_wide_columns', import.meta.url),
    );
    const files = readdirSync(directory).map((path) => ({
      path,
      file: blobOf(readFileSync(`${directory}/${path}`)),
    }));
    const { ask, end } = hosted();
    await ask('open', { kind: 'files', name: 'wide', files }, null);
    const refused = await end('exportTable', 0, { lossy: false, skipDamage: false }, 'table');
    expect(refused).toMatchObject({
      failure: { kind: 'lossy', message: expect.stringMatching(/other columns left out\.$/) },
    });
    expect(await ask('exportTable', 0, { lossy: true, skipDamage: false }, 'table')).toMatchObject({
      losses: [expect.stringMatching(/with the default column only: other columns left out$/)],
    });
  });

  it('saves what can be read of a damaged database when that is allowed', async () => {
    const directory = fileURLToPath(
      new URL('../../../tests/fixtures/lsm/d_blob_missing', import.meta.url),
    );
    const files = readdirSync(directory).map((path) => ({
      path,
      file: blobOf(readFileSync(`${directory}/${path}`)),
    }));
    const { ask, end } = hosted();
    await ask('open', { kind: 'files', name: 'db', files }, null);
    const refused = await end('exportTable', 0, { lossy: false, skipDamage: false }, 'table');
    expect(refused).toMatchObject({
      failure: { kind: 'damaged', message: expect.stringMatching(/missing/) },
    });
    expect(await ask('exportTable', 0, { lossy: false, skipDamage: true }, 'table')).toMatchObject({
      losses: expect.arrayContaining([expect.stringMatching(/\.blob: the file is missing$/)]),
    });
  });

  it('asks which folder is meant when there are several', async () => {
    const { ask } = hosted();
    const file = blobOf(new Uint8Array(8));
    const paths = ['a/MANIFEST-000001', 'b/MANIFEST-000001'];
    const files = paths.map((path) => ({ path, file }));
    const source = { kind: 'files', name: 'two', files } as const;
    const reply = await ask('open', source, null);
    expect(reply).toEqual({ folders: ['a/', 'b/'] });
    // Those of Levelscope, too.
    const own = blobOf(new TextEncoder().encode('lvsc.'));
    const owned = paths.map((path) => ({ path, file: own }));
    const others = { kind: 'files', name: 'two', files: owned } as const;
    expect(await ask('open', others, null)).toEqual(reply);
  });

  it.each([
    ['leveldb/p_snapshot_head/000005.ldb', 'leveldb'],
    ['rocksdb/tiny.sst', 'rocksdb'],
  ])('opens a single file without its directory: %s', async (path, engine) => {
    const file = blobOf(readFileSync(at(`../../../tests/fixtures/formats/${path}`)));
    const files = [{ path: 'any name', file }];
    const { ask } = hosted();
    const source = { kind: 'files', name: 'any name', files } as const;
    expect(await ask('open', source, null)).toMatchObject({ folder: '' });
    const overview = await answer<Overview>(ask('ask', { ask: 'overview' }));
    expect(overview).toMatchObject({ engine, files: [{ name: 'any name', kind: 'table' }] });
    const ran = await answer<Ran>(ask('run', 'scan', { family: 0, step: null }));
    expect(ran).toMatchObject({ failure: null });
    expect(ran.lines.length).toBeGreaterThan(1);
  });

  it('opens files of no engine as a set, converts one, and saves it', async () => {
    const { ask } = hosted();
    const table = readFileSync(at('../../../tests/fixtures/formats/cloudcentric/s2/tiny.sst'));
    const files = [
      { path: 'dir/tiny.sst', file: blobOf(table) },
      { path: 'dir/deep/notes.txt', file: blobOf(new Uint8Array(3)) },
    ];
    const source = { kind: 'files', name: 'dir', files } as const;
    expect(await ask('open', source, null)).toMatchObject({ folder: '' });
    const overview = await answer<Overview>(ask('ask', { ask: 'overview' }));
    expect(overview).toMatchObject({ engine: 'files', families: [{}, { name: 'dir/tiny.sst' }] });
    const line = 'convert kvdb-log dir/tiny.sst --name log; save log';
    const ran = await ask('run', line, { family: 1, step: null });
    expect(ran).toMatchObject({ saved: [{ name: 'log' }] });
    // The file is one of the set now, and its questions are answered.
    const part = { ask: 'ribbon', file: '@log', stretches: 9 } as never;
    expect(await ask('ask', part)).toEqual(expect.any(String));
  });

  it('returns failures as sentences, with their kind', async () => {
    const { end } = hosted();
    const failed = (kind: string, message: RegExp) => ({
      failure: { kind, message: expect.stringMatching(message) },
    });
    expect(await end('ask', { ask: 'overview' })).toMatchObject(
      failed('invalid', /^No directory is open\.$/),
    );
    const archive = blobOf(new Uint8Array(40));
    const none = await end('open', { kind: 'zip', name: 'z', archive }, null);
    expect(none).toMatchObject(failed('damaged', /^The archive cannot be read: it has no end/));
  });

  it('names a file that is gone, and goes on', async () => {
    const { ask, end } = hosted();
    const gone = blobOf(new Uint8Array(4000));
    gone.slice = () => {
      throw new DOMException('The file was moved', 'NotFoundError');
    };
    const source = {
      kind: 'files',
      name: 'db',
      files: [{ path: 'MANIFEST-000001', file: gone }],
    } as const;
    const opened = await end('open', source, null);
    expect(opened).toMatchObject({
      failure: { kind: 'io', message: expect.stringMatching(/moved\.$/) },
    });
    const again = await ask('open', sample('pebble'), null);
    expect(again).toMatchObject({ leftOut: [] });
  });

  it('reports a module that does not come', async () => {
    const { end } = hosted(() => Promise.reject(new Error('the server answered 404')));
    const reply = await end('open', sample('pebble'), null);
    expect(reply).toMatchObject({
      failure: { kind: 'unserved', message: expect.stringMatching(/did not come: the server/) },
    });
  });
});
