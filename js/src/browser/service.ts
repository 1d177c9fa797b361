// An engine that answers frames: the worker's side.

import type { Pack, Question } from '../engine/backend';
import { troubleOf } from '../engine/error';
import { type LocalEngine, PAGE_BYTES } from '../engine/local';
import { Ask, Box, type Frame, framesOf, NO_LIMIT, Status } from './frames';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

type Answer = (packed: Uint8Array, extra?: number) => void;

export class Service {
  readonly #answers: Box;

  constructor(
    private readonly engine: LocalEngine,
    post: (message: Uint8Array, transfer: Transferable[]) => void,
  ) {
    this.#answers = new Box(post);
  }

  /** Does what a message asks for, frame by frame. */
  receive(message: Uint8Array<ArrayBuffer>) {
    const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
    for (const frame of framesOf(view)) {
      const packed = message.subarray(frame.start, frame.start + frame.length);
      try {
        const done = this.#act(frame, packed);
        done?.catch((thrown) => this.#fail(frame.id, thrown));
      } catch (thrown) {
        this.#fail(frame.id, thrown);
      }
    }
  }

  #fail(id: number, thrown: unknown) {
    if (id === 0) return;
    const bytes = encoder.encode(JSON.stringify(troubleOf(thrown)));
    this.#answers.add(Status.failed, { id }, this.#answers.copy(bytes));
  }

  #act(frame: Frame, packed: Uint8Array): Promise<void> | undefined {
    const { kind, id, number, extra } = frame;
    const engine = this.engine;
    const done = () => this.#answers.add(Status.done, { id });
    const pack: Pack = (into) => into.copy(packed);
    switch (kind) {
      case Ask.write:
        return engine.write(pack, extra === 1).then(done);
      case Ask.sync:
        return engine.sync().then(done);
      case Ask.clear: {
        const limit = number === NO_LIMIT ? -1 : number;
        return engine.clear(pack, limit).then(done);
      }
      case Ask.compactRange:
        return engine.compactRange(pack).then(done);
      case Ask.takeSnapshot:
        engine.takeSnapshot(number);
        return;
      case Ask.releaseSnapshot:
        engine.releaseSnapshot(number);
        return;
      case Ask.openIterator:
        engine.openIterator(number, pack);
        return;
      case Ask.closeIterator:
        engine.closeIterator(number);
        return;
      case Ask.seek:
        engine.seek(number, packed);
        return;
      case Ask.inspect:
        return this.#inspect(id, packed);
      case Ask.close:
        return engine.close().then(done);
      default:
        return this.#read(frame, packed);
    }
  }

  /** Answers at once where no file has to be opened first. */
  #read({ kind, id, number, extra }: Frame, packed: Uint8Array): Promise<void> | undefined {
    const box = this.#answers;
    const answer: Answer = (bytes, more = 0) =>
      box.add(Status.done, { id, extra: more }, box.copy(bytes));
    // The answer is copied before another call of the engine can replace it.
    const outcome = this.engine.call(({ database, areas }) => {
      const input = areas.copy(packed);
      switch (kind) {
        case Ask.get: {
          const bytes = database.get(input, number);
          if (bytes < 0) box.add(Status.absent, { id });
          else answer(areas.packed(bytes));
          return;
        }
        case Ask.has:
          return box.add(database.get(input, number) < 0 ? Status.absent : Status.done, { id });
        case Ask.getMany:
          return answer(areas.packed(database.getMany(input, number)));
        case Ask.hasMany:
          return answer(areas.packed(database.hasMany(input, number)));
        case Ask.approximateSize:
          return answer(new Uint8Array(Float64Array.of(database.approximateSize(input)).buffer));
        case Ask.nextPage: {
          const page = database.nextPage(number, extra, PAGE_BYTES);
          return answer(areas.packedEntries(page >>> 1), page);
        }
      }
    });
    return outcome instanceof Promise ? outcome : undefined;
  }

  async #inspect(id: number, packed: Uint8Array): Promise<void> {
    const question: Question & { key?: unknown } = JSON.parse(decoder.decode(packed));
    if (Array.isArray(question.key)) question.key = Uint8Array.from(question.key);
    const answer = encoder.encode(await this.engine.inspect(question));
    this.#answers.add(Status.done, { id }, this.#answers.copy(answer));
  }
}
