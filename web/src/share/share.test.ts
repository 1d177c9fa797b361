import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { FILES_MAX } from '../model/engine.generated';
import { isArchive } from './archive';
import { listChosen, listDropped } from './entries';
import { gather } from './gather';
import { packed, unpacked } from './zip';

const bytes = (text: string) => strToU8(text) as Uint8Array<ArrayBuffer>;
const zip = (content: Record<string, Uint8Array>) => zipSync(content) as Uint8Array<ArrayBuffer>;

describe('files that are given to the page', () => {
  it('are read whole, with their directories', async () => {
    const file = new File(['abc'], 'a.sst');
    Object.defineProperty(file, 'webkitRelativePath', { value: 'db/a.sst' });
    const { files, leftOut } = await gather(listChosen([file, new File([], '')]));
    expect(files.map(({ name, bytes }) => [name, bytes.length])).toEqual([
      ['db/a.sst', 3],
      ['', 0],
    ]);
    expect(leftOut).toEqual([]);
  });

  it('are left out when they are too large, too many or unreadable, and that is told', async () => {
    const huge = new File([], 'huge');
    Object.defineProperty(huge, 'size', { value: 301 * 1024 * 1024 });
    const gone = new File([], 'gone');
    gone.arrayBuffer = () => Promise.reject(new Error('NotFoundError'));
    const first = await gather(listChosen([huge, gone, new File(['x'], 'good')]));
    expect(first.files.map(({ name }) => name)).toEqual(['good']);
    expect(first.leftOut.join()).toMatch(/300.*huge.*Could not be read: gone/);
    const many = Array.from({ length: FILES_MAX + 3 }, (_, index) => new File([], String(index)));
    const second = await gather(listChosen(many));
    expect(second.files).toHaveLength(FILES_MAX);
    expect(second.leftOut).toEqual([`Left out: 3 files after the first ${FILES_MAX}`]);
  });

  it('come out of dropped directories, to a depth', async () => {
    const leaf = (name: string): unknown => ({
      name,
      isFile: true,
      isDirectory: false,
      file: (done: (file: File) => void) => done(new File(['1'], name)),
    });
    const directory = (name: string, content: readonly unknown[]): unknown => {
      const portions = [content, []];
      const readEntries = (done: (some: unknown) => void) => done(portions.shift() ?? []);
      return { name, isFile: false, isDirectory: true, createReader: () => ({ readEntries }) };
    };
    let deep = directory('d', [leaf('too-deep')]);
    for (const name of ['c', 'b', 'a', 'x', 'y'])
      deep = directory(name, [deep, leaf(`in-${name}`)]);
    const transfer = {
      items: [{ kind: 'file', webkitGetAsEntry: () => deep }],
      files: [],
    } as unknown as DataTransfer;
    const { files } = await gather(await listDropped(transfer));
    expect(files.map(({ name }) => name)).toEqual([
      'y/in-y',
      'y/x/in-x',
      'y/x/a/in-a',
      'y/x/a/b/in-b',
    ]);
  });
});

describe('archives', () => {
  it('go out and come in', () => {
    const files = [
      { name: 'db/CURRENT', bytes: bytes('one') },
      { name: 'db/000001.sst', bytes: new Uint8Array(0) },
    ];
    const archive = { name: 'mine.zip', bytes: packed(files) };
    expect(isArchive(archive)).toBe(true);
    expect(packed(files)).toEqual(archive.bytes);
    const back = unpacked([{ name: 'other', bytes: bytes('x') }, archive]);
    expect(back.map(({ name }) => name)).toEqual(['other', 'db/CURRENT', 'db/000001.sst']);
    expect([...(back[1]?.bytes ?? [])]).toEqual([...bytes('one')]);
  });

  it('give their name to files without a directory, and leave clutter out', () => {
    const archive = zip({ a: bytes('1'), '__MACOSX/a': bytes('2'), '.DS_Store': bytes('3') });
    const names = unpacked([{ name: 'mine.zip', bytes: archive }]).map(({ name }) => name);
    expect(names).toEqual(['mine/a']);
  });

  it('are refused when they hold too much, whatever they say of it', () => {
    const bomb = zip({ zeros: new Uint8Array(16 * 1024 * 1024) });
    expect(bomb.length).toBeLessThan(100_000);
    expect(() => unpacked([{ name: 'bomb.zip', bytes: bomb }])).toThrow(/holds more than/);
    const many = zip(
      Object.fromEntries(Array.from({ length: FILES_MAX + 1 }, (_, at) => [`f${at}`, bytes('')])),
    );
    expect(() => unpacked([{ name: 'many.zip', bytes: many }])).toThrow(/1024 files/);
    // One that says it is small: it gets no more room than that.
    const lying = bomb.slice();
    const view = new DataView(lying.buffer);
    for (let at = 0; at + 4 < lying.length; at += 1) {
      if (view.getUint32(at, true) === 16 * 1024 * 1024) view.setUint32(at, 10, true);
    }
    let held = 0;
    try {
      for (const file of unpacked([{ name: 'lying.zip', bytes: lying }])) held += file.bytes.length;
    } catch (error) {
      expect(String(error)).toMatch(/cannot be unpacked/);
    }
    expect(held).toBeLessThanOrEqual(10);
  });

  it('are refused when they are damaged or cut', () => {
    const whole = zip({ a: bytes('hello hello hello hello'), b: bytes('world') });
    for (let end = 4; end < whole.length; end += 1) {
      const cut = { name: 'cut.zip', bytes: whole.slice(0, end) };
      try {
        unpacked([cut]);
      } catch (error) {
        expect(String(error)).toMatch(/cannot be unpacked/);
      }
    }
    for (let at = 4; at < whole.length; at += 1) {
      const damaged = whole.slice();
      damaged[at] = 0xff;
      try {
        const size = unpacked([{ name: 'x.zip', bytes: damaged }]).reduce(
          (sum, file) => sum + file.bytes.length,
          0,
        );
        expect(size).toBeLessThan(100_000);
      } catch (error) {
        expect(String(error)).toMatch(/cannot be unpacked|holds more/);
      }
    }
  });
});
