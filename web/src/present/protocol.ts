// Messages between the presenter's window and the audience's. Every message to the audience is the whole state, so a
// window that joins late, is loaded again or slept is right with the next one. Other values are dropped.

import { BUILD } from '../model/build';
import type { Query, View } from '../model/engine.generated';
import type { LessonShown } from './lessonShown';
import type { Look } from './look';
import type { ArrivedState, AudienceState } from './shown';
import { unpacked } from './tables';
import type { Typed } from './typedShown';

/** The version of these messages: windows of two builds do not talk. */
export const VERSION = BUILD;

/** All that is drawn, with a number that grows. */
export interface ShownMessage<Drawn = AudienceState> {
  v: typeof VERSION;
  type: 'shown';
  n: number;
  page: Drawn;
  lesson: LessonShown | null;
  /** The last command, if it made no step; `null`: none. */
  typed: Typed | null;
  look: Look;
}

/** From the presenter's window to the audience's. */
export type ToAudience<Drawn = AudienceState> =
  | ShownMessage<Drawn>
  /** The engine's answer to a question of the audience's picture; `null`: there is none. */
  | { v: typeof VERSION; type: 'answer'; id: number; answer: unknown }
  /** The presenter's window is being closed, or loaded again. */
  | { v: typeof VERSION; type: 'away' }
  /** The presentation has ended. */
  | { v: typeof VERSION; type: 'over' };

/** From the audience's window to the presenter's. */
export type ToPresenter =
  /** On load; answered with all that is shown. */
  | { v: typeof VERSION; type: 'hello' }
  /** The window's state: each second, and on every change. */
  | { v: typeof VERSION; type: 'here'; n: number; visible: boolean; width: number; height: number }
  /** A key that was pressed there acts here. */
  | { v: typeof VERSION; type: 'key'; key: string }
  /** A picture asks the engine, which changes nothing: newest entries, bytes of a file. */
  | { v: typeof VERSION; type: 'ask'; id: number; query: Query };

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isList = (value: unknown, holds: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(holds);

/** Checks the fields that act at once; those that are only drawn come from the same build. */
const isPage = (page: unknown): boolean =>
  isFields(page) &&
  typeof page.moment === 'string' &&
  isFields(page.place) &&
  isCount(page.place.step) &&
  isFields(page.view) &&
  isList(page.view.levels, (level) => isFields(level) && isList(level.tables, Array.isArray));

/** The questions of pictures: other windows ask nothing else. */
const QUESTIONS: ReadonlySet<unknown> = new Set<Query['ask']>([
  ...(['files', 'labs', 'recent', 'contents', 'follow'] as const),
  ...(['ribbon', 'part', 'hex', 'memtable'] as const),
]);

type Checks<M extends { type: string }> = Record<M['type'], (message: Fields) => boolean>;
const any = () => true;

const toAudience: Checks<ToAudience> = {
  shown: ({ n, page, look }) => isCount(n) && isPage(page) && isFields(look),
  answer: ({ id }) => isCount(id),
  away: any,
  over: any,
};

const toPresenter: Checks<ToPresenter> = {
  hello: any,
  here: ({ n, visible }) => isCount(n) && typeof visible === 'boolean',
  key: ({ key }) => typeof key === 'string',
  ask: ({ id, query }) => isCount(id) && isFields(query) && QUESTIONS.has(query.ask),
};

function read<M extends { type: string }>(value: unknown, checks: Checks<M>): M | null {
  if (!isFields(value) || value.v !== VERSION || typeof value.type !== 'string') return null;
  const check = Object.hasOwn(checks, value.type) ? checks[value.type as M['type']] : null;
  return check?.(value) ? (value as unknown as M) : null;
}

/** The message to the audience in `value`; `null`: it is none. */
export function readToAudience(value: unknown): ToAudience<ArrivedState> | null {
  const message = read<ToAudience>(value, toAudience);
  if (message?.type !== 'shown') return message;
  const view = unpacked(message.page.view) as View;
  return { ...message, page: { ...message.page, view } };
}

/** The message to the presenter in `value`; `null`: it is none. */
export const readToPresenter = (value: unknown): ToPresenter | null =>
  read<ToPresenter>(value, toPresenter);
