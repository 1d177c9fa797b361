// @vitest-environment node

import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../model/engine.generated';
import { ask, loadEngine, openEngine, type WasmEngine } from '../../testing/realEngine';
import { isKept, type MergeEvent, mergeOf, reasonText } from './merge';

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

type Batch = Extract<Message, { type: 'events' }>;

function open(): WasmEngine {
  const engine = new Make('memory');
  openEngine(engine);
  return engine;
}

describe('the verdicts of a merge', () => {
  it('are on the input that comes first, and say what their sentence says', () => {
    const engine = open();
    engine.wantDetails(true);
    for (const line of ['fill 60 --words --seed 7', 'fill 60 --words --seed 7', 'run']) {
      ask(engine, line);
    }
    const merged: MergeEvent[] = [];
    for (let text = engine.events(false); text !== undefined; text = engine.events(false)) {
      const batch: Batch = JSON.parse(text);
      merged.push(...batch.events.flatMap(mergeOf));
    }
    const contested = merged.filter((event) => event.heads.length > 1);
    expect(contested.length).toBeGreaterThan(10);
    for (const event of contested) {
      const winners = event.heads.filter((head) => head.first);
      expect(winners.map(({ key, sequence }) => ({ key, sequence }))).toEqual([
        { key: event.key, sequence: event.sequence },
      ]);
      expect(reasonText(event.verdict)).not.toBe('');
      expect(event.sentence).toContain(isKept(event.verdict) ? 'is kept' : 'is dropped');
    }
    expect(merged.some((event) => !isKept(event.verdict))).toBe(true);
  });
});
