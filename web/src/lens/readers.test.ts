import { strToU8, zipSync } from 'fflate';
import { describe, expect, it, vi } from 'vitest';
import { blobOf, readSlice } from '../testing/slices';
import { entriesOf, findCentral, TAIL_BYTES } from './central';
import { LensError } from './failure';
import { readers } from './readers';
import { refused } from './refusals';

/** The most bytes that came out of the inflater at once. */
const most = vi.hoisted(() => ({ atOnce: 0 }));
vi.mock('fflate', async (original) => {
  const fflate = await original<typeof import('fflate')>();
  class Inflate extends fflate.Inflate {
    constructor(take: (chunk: Uint8Array, isLast: boolean) => void) {
      super((chunk, isLast) => {
        most.atOnce = Math.max(most.atOnce, chunk.length);
        take(chunk, isLast);
      });
    }
  }
  return { ...fflate, Inflate };
});

const LONG = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * at) >> 5);

function archive(): Uint8Array {
  return zipSync({
    'db/CURRENT': [strToU8('MANIFEST-000001\n'), { level: 0 }],
    'db/000012.sst': [LONG, { level: 6 }],
    'db/empty.log': new Uint8Array(),
    'db/.DS_Store': strToU8('x'),
    '__MACOSX/db/._CURRENT': strToU8('x'),
  });
}

const list = (bytes: Uint8Array) =>
  readers({ kind: 'zip', name: 'a.zip', archive: blobOf(bytes) }, readSlice);
const open = (bytes: Uint8Array) => list(bytes).files;

function read(bytes: Uint8Array, path: string, at: number, count: number): Uint8Array {
  const file = open(bytes).find((file) => file.path === path);
  const buffer = new Uint8Array(count);
  return buffer.subarray(0, file?.read(at, buffer));
}

/** The failure of opening the archive and reading every file of it; `null`: there is none. */
function failure(bytes: Uint8Array): LensError | null {
  try {
    const { files, leftOut } = list(bytes);
    for (const file of files) file.read(0, new Uint8Array(10));
    const [first] = leftOut;
    return first ? new LensError(first.kind, first.why) : null;
  } catch (error) {
    if (error instanceof LensError) return error;
    throw error;
  }
}

/** Writes a number of the list of files, counted from the beginning of the entry of `name`. */
function patched(name: string, offset: number, value: number, bytes: 2 | 4 = 4): Uint8Array {
  const copy = archive();
  const view = new DataView(copy.buffer);
  const { offset: start } = findCentral(copy.slice(-TAIL_BYTES), copy.length);
  const text = new TextDecoder('latin1').decode(copy);
  const at = text.indexOf(name, start) - 46 + offset;
  if (bytes === 4) view.setUint32(at, value, true);
  else view.setUint16(at, value, true);
  return copy;
}

describe('files of a directory', () => {
  it('are read by ranges', () => {
    const file = blobOf(strToU8('abcdefgh'));
    const slices = vi.fn(readSlice);
    const source = { kind: 'files', name: 'db', files: [{ path: 'db/a', file }] } as const;
    const [first] = readers(source, slices).files;
    const buffer = new Uint8Array(4);
    expect(first?.bytes).toBe(8);
    expect(first?.read(2, buffer)).toBe(4);
    expect(buffer).toEqual(strToU8('cdef'));
    expect(first?.read(6, buffer)).toBe(2);
    expect(slices).toHaveBeenCalledTimes(2);
  });
});

describe('a zip archive', () => {
  it('gives its files without those of operating systems', () => {
    const files = open(archive());
    expect(files.map(({ path, bytes }) => [path, bytes])).toEqual([
      ['db/CURRENT', 16],
      ['db/000012.sst', LONG.length],
      ['db/empty.log', 0],
    ]);
  });

  it('gives any range of a stored and of a deflated file', () => {
    const bytes = archive();
    expect(read(bytes, 'db/CURRENT', 9, 99)).toEqual(strToU8('000001\n'));
    expect(read(bytes, 'db/CURRENT', 99, 9)).toHaveLength(0);
    for (const at of [0, 1_048_570, LONG.length - 5]) {
      expect(read(bytes, 'db/000012.sst', at, 100)).toEqual(LONG.subarray(at, at + 100));
    }
  });

  it('unpacks a file once', () => {
    const slices = vi.fn(readSlice);
    const source = { kind: 'zip', name: 'a.zip', archive: blobOf(archive()) } as const;
    const { files } = readers(source, slices);
    const table = files.find(({ path }) => path.endsWith('.sst'));
    table?.read(0, new Uint8Array(10));
    const before = slices.mock.calls.length;
    table?.read(2_000_000, new Uint8Array(10));
    expect(slices.mock.calls.length).toBe(before);
  });

  it('may have more than 65,535 files, and a comment that looks like its end', () => {
    const bytes = archive();
    const { offset, bytes: length } = findCentral(bytes.slice(-TAIL_BYTES), bytes.length);
    const end64 = new Uint8Array(56 + 20 + 22 + 22);
    const view = new DataView(end64.buffer);
    view.setUint32(0, 0x06064b50, true);
    view.setUint32(40, length, true);
    view.setUint32(48, offset, true);
    view.setUint32(56, 0x07064b50, true);
    view.setUint32(76, 0x06054b50, true);
    view.setUint32(76 + 12, 0xffffffff, true);
    view.setUint32(76 + 16, 0xffffffff, true);
    view.setUint16(76 + 20, 22, true);
    view.setUint32(98, 0x06054b50, true);
    view.setUint16(98 + 20, 5, true);
    const large = new Uint8Array([...bytes.subarray(0, offset + length), ...end64]);
    expect(findCentral(large.slice(-TAIL_BYTES), large.length)).toEqual({ offset, bytes: length });
  });

  it('may give the numbers of an entry in 64 bits', () => {
    const name = strToU8('a.sst');
    const central = new Uint8Array(46 + name.length + 4 + 16);
    const view = new DataView(central.buffer);
    view.setUint32(0, 0x02014b50, true);
    view.setUint32(20, 77, true);
    view.setUint32(24, 0xffffffff, true);
    view.setUint16(28, name.length, true);
    view.setUint16(30, 20, true);
    view.setUint32(42, 0xffffffff, true);
    central.set(name, 46);
    view.setUint16(46 + name.length, 1, true);
    view.setUint16(48 + name.length, 16, true);
    view.setUint32(50 + name.length + 4, 2, true);
    view.setUint32(50 + name.length + 8, 5, true);
    expect(entriesOf(central)).toMatchObject([{ packed: 77, bytes: 2 * 2 ** 32, header: 5 }]);
  });

  it.each([
    ['no archive', strToU8('hello'), 'damaged'],
    ['an archive that was cut off', archive().slice(0, -30), 'damaged'],
    ['a list beyond the end', archive().slice(500_000), 'damaged'],
    [
      'a file that unpacks to more than its recorded size',
      patched('db/000012.sst', 24, 1000),
      'damaged',
    ],
    ['a file that unpacks to less', patched('db/000012.sst', 24, LONG.length + 1), 'damaged'],
    ['other bytes than were packed', patched('db/000012.sst', 16, 1), 'damaged'],
    ['a file that is not there', patched('db/CURRENT', 42, 7), 'damaged'],
    ['a file beyond the end', patched('db/000012.sst', 20, 0x7fffffff), 'damaged'],
    ['a file with a huge recorded size', patched('db/000012.sst', 24, 0xfffffffe), 'too_large'],
    ['an encrypted file', patched('db/CURRENT', 8, 1, 2), 'not_read'],
    ['another method', patched('db/000012.sst', 10, 12, 2), 'not_read'],
  ])('%s is refused', (_, bytes, kind) => {
    expect(failure(bytes)?.kind).toBe(kind);
  });

  it('whose stored file does not have its own size is refused by name', () => {
    for (const [field, value] of [
      [24, 1000],
      [20, 3],
    ] as const) {
      const error = failure(patched('db/CURRENT', field, value));
      expect(error).toMatchObject({ kind: 'damaged' });
      expect(error?.message).toMatch(/^The archive a\.zip .* file "db\/CURRENT" .* \d+ B .* \d+ B/);
    }
  });

  it('that holds two files with one name is refused', () => {
    const bytes = zipSync({ 'db/CURRENT': strToU8('a'), 'db/CURRENX': strToU8('b') });
    const text = new TextDecoder('latin1').decode(bytes);
    for (let at = 0; at >= 0; at = text.indexOf('CURRENX', at + 1))
      if (at > 0) bytes[at + 6] = 0x54;
    const error = failure(bytes);
    expect(error?.kind).toBe('damaged');
    expect(error?.message).toMatch(/^The archive a\.zip has two files with the name "db\/CURRENT"/);
  });

  it('may not have a stored file that goes on beyond its end', () => {
    const bytes = patched('db/CURRENT', 20, archive().length - 35);
    const view = new DataView(bytes.buffer);
    const { offset } = findCentral(bytes.slice(-TAIL_BYTES), bytes.length);
    view.setUint32(offset + 24, archive().length - 35, true);
    expect(() => read(bytes, 'db/CURRENT', 0, 5)).toThrow('share bytes of it');
  });

  it('whose small stored file has other bytes than were stored is refused at any place', () => {
    const bytes = archive();
    const at = new TextDecoder('latin1').decode(bytes).indexOf('MANIFEST-000001');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    for (const from of [0, 9, 9]) {
      expect(() => read(bytes, 'db/CURRENT', from, 4)).toThrow('not those that were packed');
    }
  });

  it('leaves out a file that would unpack to far more than itself, before it is unpacked', () => {
    const bomb = zipSync({
      'db/000001.sst': [new Uint8Array(64 << 20), { level: 9 }],
      'db/CURRENT': strToU8('MANIFEST-000001\n'),
    });
    expect(bomb.length).toBeLessThan(100_000);
    const { files, leftOut } = list(bomb);
    expect(files.map(({ path }) => path)).toEqual(['db/CURRENT']);
    expect(leftOut).toEqual([
      {
        path: 'db/000001.sst',
        kind: 'too_large',
        why: expect.stringMatching(
          /^it would inflate from \d+\.\d KiB to 64\.0 MiB, more than 200 times as much$/,
        ),
      },
    ]);
  });

  it('leaves out a file that is larger than what is kept of unpacked files', () => {
    const { leftOut } = list(patched('db/000012.sst', 24, 300 << 20));
    expect(leftOut).toMatchObject([
      { why: 'it has 300.0 MiB when it is unpacked; a file is unpacked here up to 256.0 MiB' },
    ]);
  });

  it('whose files need a password is refused, unless it opens without them', () => {
    const error = failure(patched('db/CURRENT', 8, 1, 2));
    expect(error?.message).toMatch(
      /^The archive a\.zip is encrypted\. Unpack it with its password/,
    );
    const { files, leftOut } = list(patched('db/000012.sst', 8, 1, 2));
    expect(files.map(({ path }) => path)).toEqual(['db/CURRENT', 'db/empty.log']);
    expect(leftOut).toMatchObject([
      { path: 'db/000012.sst', why: 'it is encrypted in the archive' },
    ]);
  });

  it('may have a folder whose name begins like clutter', () => {
    const files = open(zipSync({ '._db/CURRENT': new Uint8Array(1), '._db/._x': strToU8('x') }));
    expect(files.map(({ path }) => path)).toEqual(['._db/CURRENT']);
  });

  it('whose files share bytes is refused by name', () => {
    for (const header of [0, 20]) {
      const error = failure(patched('db/000012.sst', 42, header));
      expect(error).toMatchObject({ kind: 'damaged' });
      expect(error?.message).toBe(
        'The archive a.zip is damaged or was made to do harm: "db/CURRENT" and "db/000012.sst" share bytes of it.',
      );
    }
  });

  it('leaves out what is packed most, beyond 256 MiB and 32 times its packed size', () => {
    const sizes = { method: 8, crc32: 0, header: 0, isEncrypted: false };
    const zeros = { ...sizes, packed: 16_384, bytes: 16 << 20 };
    const logs = Array.from({ length: 20 }, (_, at) => ({ ...zeros, name: `db/${at}.log` }));
    const table = { ...sizes, packed: 1 << 20, bytes: 32 << 20, name: 'db/21.sst' };
    const manifest = { ...zeros, name: 'db/MANIFEST-000001' };
    const leftOut = refused([...logs, table, manifest]);
    // 256 MiB, and 42 MiB for what the files have in the archive: the table, the manifest and 15 logs.
    expect(leftOut.map(({ path }) => path)).toEqual(
      [15, 16, 17, 18, 19].map((at) => `db/${at}.log`),
    );
    const why =
      'all files together would inflate from 1.3 MiB to 368.0 MiB; they are unpacked here up to 298.5 MiB';
    expect(leftOut[0]).toEqual({ path: 'db/15.log', kind: 'too_large', why });
    expect(refused([...logs.slice(5), table, manifest])).toEqual([]);
  });

  it('does not keep a log that was read to its end when the next file is unpacked', () => {
    const names = ['db/000001.log', 'db/000002.log', 'db/000003.sst'];
    const bytes = zipSync(Object.fromEntries(names.map((name) => [name, LONG])), { level: 6 });
    const onUnpacked = vi.fn();
    const source = { kind: 'zip', name: 'a.zip', archive: blobOf(bytes) } as const;
    const [first, second, table] = readers(source, readSlice, onUnpacked).files;
    const unpacked = () =>
      onUnpacked.mock.calls.reduce((sum, [count]) => sum + count, 0) / LONG.length;
    table?.read(LONG.length - 9, new Uint8Array(9));
    first?.read(LONG.length - 9, new Uint8Array(9));
    first?.read(0, new Uint8Array(9));
    expect(unpacked()).toBe(2);
    second?.read(0, new Uint8Array(9));
    table?.read(0, new Uint8Array(9));
    expect(unpacked()).toBe(3);
    first?.read(0, new Uint8Array(9));
    expect(unpacked()).toBe(4);
  });

  it('counts the bytes that were unpacked', () => {
    const onUnpacked = vi.fn();
    const source = { kind: 'zip', name: 'a.zip', archive: blobOf(archive()) } as const;
    const { files } = readers(source, readSlice, onUnpacked);
    for (const file of files) file.read(0, new Uint8Array(16));
    const all = onUnpacked.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0);
    expect(all).toBe(LONG.length + 16);
  });

  it('may hold a small file that is packed a thousand times smaller', () => {
    const zeros = new Uint8Array(8 << 20);
    const bytes = zipSync({ 'db/LOG': [zeros, { level: 9 }] });
    expect(zeros.length / bytes.length).toBeGreaterThan(900);
    expect(read(bytes, 'db/LOG', zeros.length - 3, 10)).toEqual(new Uint8Array(3));
  });

  it('that unpacks to far more than its recorded size is given no more room than that', () => {
    const bomb = zipSync({ 'db/000001.sst': [new Uint8Array(64 << 20), { level: 9 }] });
    const view = new DataView(bomb.buffer);
    const { offset } = findCentral(bomb.slice(-TAIL_BYTES), bomb.length);
    view.setUint32(offset + 24, 1000, true);
    most.atOnce = 0;
    expect(failure(bomb)).toMatchObject({ kind: 'damaged' });
    expect(most.atOnce).toBeGreaterThan(1000);
    expect(most.atOnce).toBeLessThan(9 << 20);
  });

  it('with any byte changed is read or refused', () => {
    const sound = zipSync({ 'db/CURRENT': strToU8('MANIFEST-000001\n'), a: LONG.slice(0, 200) });
    for (let at = 0; at < sound.length; at += 1) {
      for (const value of [0, 0xff, (sound[at] ?? 0) ^ 0x11]) {
        const changed = sound.slice();
        changed[at] = value;
        failure(changed);
      }
    }
  });
});
