import type { EnginePort, Order, Outcome, Question, Reply } from '../app/port';
import type {
  Answers,
  Completion,
  Message,
  OutputLine,
  Patch,
  Query,
  View,
  WireEvent,
} from '../model/engine.generated';
import { EMPTY_VIEW } from '../model/reduce';
import type { ForeignFile } from '../share/foreign';
import { OPERATION, PLAIN } from './plainEvent';

type Of<Type extends Message['type']> = Extract<Message, { type: Type }>;

/** An event in short. */
interface Happening {
  kind: string;
  job?: number;
  cause?: number;
  sentence?: string;
  patches?: Patch[];
}

/** Replaces the engine in tests: gives the answers and sends the messages that the test sets. */
export class FakeEngine implements EnginePort {
  /** Every request, in order, without queries. */
  readonly asked: string[] = [];
  readonly queried: Query[] = [];
  /** The answer to a query. */
  replies: (query: Query) => unknown = () => {
    throw new Error('This test has no answer.');
  };
  answers: (line: string) => Outcome | Promise<Outcome> = () => ({ answers: [], error: null });
  completions: Completion[] = [];

  viewBefore: (step: number) => View = () => EMPTY_VIEW;

  private readonly listeners = new Set<(message: Message) => void>();
  private readonly history: WireEvent[] = [];
  private nextStep = 1;

  async ask<Asked extends Question>(
    request: Asked,
    files: readonly ForeignFile[] = [],
  ): Promise<Reply<Asked['type']>> {
    return (await this.reply(request, files)) as Reply<Asked['type']>;
  }

  private reply(request: Question, files: readonly ForeignFile[]): unknown {
    switch (request.type) {
      case 'command': {
        const { line, at } = request;
        this.asked.push(at === null ? line : `${line} at ${at}`);
        return this.answers(line);
      }
      case 'shared':
        this.asked.push(`shared ${request.runs ? 'all' : 'by line'} ${request.text}`);
        return this.answers('shared');
      case 'files':
        this.asked.push(
          `files ${files.map(({ name, bytes }) => `${name}:${bytes.length}`).join()}`,
        );
        return this.answers('import');
      case 'window':
        return this.window(request);
      case 'complete':
        return { items: this.completions };
      case 'lesson':
        return { answers: [], error: null };
      default:
        this.asked.push(request.type);
        return {};
    }
  }

  async query<Q extends Query>(query: Q): Promise<Answers[Q['ask']]> {
    this.queried.push(query);
    return this.replies(query) as Answers[Q['ask']];
  }

  /** Answers with what happened in these steps; the view before is `viewBefore`. */
  private window({ from, to, details }: Extract<Question, { type: 'window' }>): Of<'window'> {
    this.asked.push(`window ${from} ${to}${details ? ' details' : ''}`);
    const inside = ({ step, detail }: WireEvent) =>
      step >= from && step <= to && (details || detail === 0);
    const events = this.history.filter(inside);
    return { type: 'window', id: 1, from, to, events, view: this.viewBefore(from) };
  }

  send(order: Order): void {
    const isPlay = order.type === 'play';
    const stepsPerSecond = isPlay ? order.stepsPerSecond : null;
    this.asked.push(isPlay ? `play ${order.grain} ${stepsPerSecond}` : order.type);
    if (order.type !== 'cancel') this.emit({ type: 'playing', playing: isPlay, stepsPerSecond });
  }

  on(listener: (message: Message) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The worker sends `message`. */
  emit(message: Message): void {
    for (const listener of this.listeners) listener(message);
  }

  /** The database was opened. */
  opened(view: View, change: Partial<Extract<Message, { type: 'opened' }>> = {}): void {
    this.emit({
      type: 'opened',
      id: 1,
      storage: 'opfs',
      why: null,
      view,
      step: 0,
      isHistoryKept: false,
      options: OPTIONS,
      presets: PRESETS,
      preset: 'classroom',
      persisted: false,
      ...change,
    });
  }

  /** Events happened, one phase each. */
  happened(happenings: readonly Happening[]): void {
    const events = happenings.map((happening): WireEvent => {
      const { kind, job = null, cause = null, patches = [] } = happening;
      const sentence = happening.sentence ?? `${kind} happened.`;
      const step = this.nextStep++;
      const place = { id: step, detail: 0, time: step, step };
      return { ...PLAIN, ...place, job, cause, kind, sentence, patches };
    });
    this.history.push(...events);
    const next = 'Flush job 1 will sync table 12.';
    this.emit({
      type: 'events',
      events,
      elided: 0,
      detailed: true,
      landmarks: [],
      samples: [],
      view: null,
      next,
      fileBytes: 421_888,
    });
  }

  /** Skips `count` events, and sends one more with the state after it. */
  skipped(count: number, view: View): void {
    const make = (): WireEvent => {
      const step = this.nextStep++;
      const place = { id: step, detail: 0, time: step, step };
      return {
        ...OPERATION,
        ...place,
        job: null,
        cause: null,
        sentence: 'A scan.',
        kind: 'op.scan',
      };
    };
    const events = Array.from({ length: count + 1 }, make);
    this.history.push(...events);
    const last = events.slice(-1);
    const rest = { detailed: false, landmarks: [], samples: [], next: null, fileBytes: 0 };
    this.emit({ type: 'events', events: last, elided: count, view, ...rest });
  }

  print(...lines: OutputLine[]): void {
    this.emit({ type: 'output', id: 1, lines });
  }
}

const OPTIONS = [
  {
    name: 'memtable_bytes',
    unit: 'bytes',
    words: [],
    min: 64,
    max: 2 ** 30,
    purpose: 'Size at which the memtable rotates.',
    value: '1024',
    default: '4194304',
  },
  {
    name: 'l0_trigger',
    unit: 'tables',
    words: [],
    min: 1,
    max: 1000,
    purpose: 'L0 tables that start a compaction.',
    value: '2',
    default: '4',
  },
  {
    name: 'compression',
    unit: 'none or snappy',
    words: ['none', 'snappy'],
    min: 0,
    max: 0,
    purpose: 'Compression of blocks.',
    value: 'snappy',
    default: 'snappy',
  },
];

const PRESETS = [
  { name: 'default', purpose: 'Native use.' },
  { name: 'classroom', purpose: 'Everything small.' },
];
