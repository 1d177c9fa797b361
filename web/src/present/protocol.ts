// What the presenter's window and the audience's say to each other. Every message to the audience is the whole state, so a
// window that joins late, is loaded again or slept is right with the next one. Whatever is no message is dropped.

import schema from '../engine/message.schema.json';
import { checkOf, type Schema } from '../engine/schema';
import type { Query } from '../model/engine.generated';
import type { LessonShown } from './lessonShown';
import type { Look } from './look';
import type { Arrived, Shown } from './shown';
import { unpacked } from './tables';
import type { Typed } from './typedShown';

/** The version of these messages: windows of two builds do not talk. */
export const VERSION = 1;

/** All that is drawn, with a number that grows. */
export interface ShownMessage<Drawn = Shown> {
  v: typeof VERSION;
  type: 'shown';
  n: number;
  page: Drawn;
  lesson: LessonShown | null;
  /** What was typed last and made no step; `null`: nothing. */
  typed: Typed | null;
  look: Look;
}

/** From the presenter's window to the audience's. */
export type ToAudience<Drawn = Shown> =
  | ShownMessage<Drawn>
  /** The engine's answer to a question of the audience's picture; `null`: there is none. */
  | { v: typeof VERSION; type: 'answer'; id: string; answer: unknown }
  /** The presenter's window is being closed, or loaded again. */
  | { v: typeof VERSION; type: 'away' }
  /** The presentation has ended. */
  | { v: typeof VERSION; type: 'over' };

/** From the audience's window to the presenter's. */
export type ToPresenter =
  /** On load; answered with all that is shown. */
  | { v: typeof VERSION; type: 'hello' }
  /** What the window shows: each second, and on every change. */
  | { v: typeof VERSION; type: 'here'; n: number; visible: boolean; width: number; height: number }
  /** A key that was pressed there acts here. */
  | { v: typeof VERSION; type: 'key'; key: string }
  /** A picture asks the engine, which changes nothing: newest entries, bytes of a file. */
  | { v: typeof VERSION; type: 'ask'; id: string; query: Query };

const text = { type: 'string' };
const flag = { type: 'boolean' };
const whole = { type: 'integer', minimum: 0 };
const fields = { type: 'object' };
const named = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const list = (items: Schema): Schema => ({ type: 'array', items });
const or = (first: Schema): Schema => ({ anyOf: [first, { type: 'null' }] });
const only = (...words: string[]): Schema => ({ anyOf: words.map((word) => ({ const: word })) });
const record = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  additionalProperties: false,
});
const message = (type: string, properties: Record<string, Schema> = {}): Schema =>
  record({ type: { const: type }, v: { const: VERSION }, ...properties });

const MERGE = schema.$defs.MergeStep;

const PAGE = record({
  begun: or(whole),
  branch: whole,
  branchState: or(named('BranchState')),
  busy: or(record({ label: text, done: whole, total: or(whole) })),
  event: or(named('WireEvent')),
  experiment: or(text),
  focus: only('levels', 'job', 'lookup', 'step'),
  followed: or(text),
  fresh: list(text),
  inspecting: flag,
  isPast: flag,
  judged: record({
    entries: list({
      type: 'object',
      required: [...MERGE.required, 'detail', 'job', 'sentence', 'step'],
      properties: {
        ...MERGE.properties,
        detail: whole,
        job: or(whole),
        sentence: text,
        step: whole,
      },
    }),
    since: whole,
    isKnown: flag,
  }),
  last: whole,
  moment: text,
  place: record({ step: whole, detail: whole }),
  playing: flag,
  predicts: flag,
  // Answers of the engine have no schema of their own: what cannot be drawn is told in their place.
  reading: or(fields),
  readingStop: whole,
  replaying: flag,
  report: or(fields),
  revealed: or(text),
  selection: or(text),
  travels: or(named('WireEvent')),
  view: {
    type: 'object',
    required: ['levels'],
    properties: {
      levels: list({
        type: 'object',
        required: ['tables'],
        properties: { tables: { type: 'array' } },
      }),
    },
  },
  writing: list(named('OutputView')),
});

const LESSON = record({
  title: text,
  scene: list(named('Inline')),
  question: or(named('LessonQuestion')),
  counts: list(list(whole)),
  discusses: flag,
  task: or(named('LessonTask')),
});

const TYPED = record({ command: text, lines: list(text) });

const LOOK = record({
  theme: only('light', 'dark'),
  scale: { type: 'number', minimum: 0.5, maximum: 2 },
  black: flag,
  spotlight: flag,
  code: or(text),
});

const file = { file: text };
const range = { skip: whole, limit: whole };

/** The questions of pictures. */
const QUERY = {
  oneOf: [
    ...['files', 'opened', 'formats', 'labs'].map((ask) => record({ ask: { const: ask } })),
    record({ ask: { const: 'recent' }, limit: whole }),
    record({ ask: { const: 'follow' }, key: text }),
    record({ ask: { const: 'ribbon' }, ...file, stretches: whole }),
    record({ ask: { const: 'part' }, ...file, path: text, ...range }),
    record({ ask: { const: 'entries' }, ...file, ...range }),
    record({ ask: { const: 'lookup' }, ...file, key: text, search: text }),
    record({ ask: { const: 'hex' }, ...file, inside: or(text), offset: whole, length: whole }),
  ],
};

const { $defs } = schema;
const wrongWithView = checkOf({ $defs, $ref: '#/$defs/View' });
const wrongToAudience = checkOf({
  $defs,
  oneOf: [
    message('shown', { n: whole, page: PAGE, lesson: or(LESSON), typed: or(TYPED), look: LOOK }),
    message('answer', { id: text, answer: {} }),
    message('away'),
    message('over'),
  ],
});
const wrongToPresenter = checkOf({
  oneOf: [
    message('hello'),
    message('here', { n: whole, visible: flag, width: whole, height: whole }),
    message('key', { key: text }),
    message('ask', { id: text, query: QUERY }),
  ],
});

/** The message to the audience in `value`; `null`: it is none. */
export function readToAudience(value: unknown): ToAudience<Arrived> | null {
  if (wrongToAudience(value) !== null) return null;
  const message = value as ToAudience;
  if (message.type !== 'shown') return message;
  const view = unpacked(message.page.view);
  if (wrongWithView(view) !== null) return null;
  return { ...message, page: { ...message.page, view: view as Arrived['view'] } };
}

/** The message to the presenter in `value`; `null`: it is none. */
export function readToPresenter(value: unknown): ToPresenter | null {
  return wrongToPresenter(value) === null ? (value as ToPresenter) : null;
}
