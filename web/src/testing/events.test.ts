import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { ask, loadEngine, openEngine, start, type WasmEngine } from './realEngine';

/*
 * The twin of wasm/tests/events.rs: the same script on the wasm module must send the same events, to the
 * letter, as the same engine sent natively when the checksum was committed.
 */

const fixture = (name: string) =>
  readFileSync(
    fileURLToPath(new URL(`../../../tests/fixtures/events/${name}`, import.meta.url)),
    'utf8',
  );

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

it('a script has the same events in wasm as natively', () => {
  const engine = new Make('memory');
  openEngine(engine);
  let checksum = 0;
  let events = 0;
  const take = () => {
    for (let batch = engine.events(false); batch !== undefined; batch = engine.events(false)) {
      events += JSON.parse(batch).events.length;
      checksum = crc32(batch, checksum);
    }
  };
  take();
  for (const line of fixture('classroom.lsm').split('\n').filter(Boolean)) {
    ask(engine, line);
    take();
    start(engine, 'stats --hash');
    const { hash } = JSON.parse(engine.advance(1000)).answers[0].value;
    checksum = crc32(JSON.stringify(hash), checksum);
  }
  const found = `${events} events, checksum ${checksum.toString(16).padStart(8, '0')}\n`;
  expect(found).toBe(fixture('classroom.txt'));
});
