// A program that uses most of the types; it only has to compile.

import { Levelscope, LevelscopeError, MemoryLevelscope } from 'levelscope';

interface Note {
  readonly title: string;
}

export async function use(): Promise<string[]> {
  await using db = new Levelscope<string, Note>('notes', {
    valueEncoding: 'json',
    durability: 'strict',
    cacheSize: 1 << 20,
    engine: { bloom_bits: 12 },
  });
  await db.put('a', { title: 'first' }, { sync: true });
  await db.batch([
    { type: 'put', key: 'b', value: { title: 'second' } },
    { type: 'del', key: 'a' },
  ]);
  await db.batch().put('c', { title: 'third' }).del('b').write();
  await db.del('b', { sync: true });
  await db.batch([{ type: 'put', key: 'c', value: { title: 'third' } }], { sync: true });
  await db.sync();
  const titles: string[] = [];
  for await (const [key, value] of db.iterator({ gte: 'a', lt: 'z', reverse: true, limit: 10 })) {
    titles.push(`${key}: ${value.title}`);
  }
  const snapshot = db.snapshot();
  const note: Note | undefined = await db.get('c', { snapshot });
  const many: (Note | undefined)[] = await db.getMany(['a', 'b']);
  await snapshot.close();
  const sub = db.sublevel<string, number>('counts', { valueEncoding: 'json' });
  await sub.put('visits', 1);
  const binary = new MemoryLevelscope<Uint8Array, Uint8Array>({
    keyEncoding: 'view',
    valueEncoding: 'view',
  });
  await binary.put(new Uint8Array(1), new Uint8Array(2));
  try {
    await binary.open();
  } catch (error) {
    if (error instanceof LevelscopeError) titles.push(error.code, error.kind, error.file ?? '');
  }
  for await (const event of db.levelscope.events({ details: false })) {
    titles.push(event.sentence, event.name);
    break;
  }
  const { found } = await db.levelscope.explain('c');
  titles.push(String(found), note?.title ?? '', String(many.length));
  return titles;
}
