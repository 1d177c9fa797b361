// A lesson on paper: where it is, and what is on it.

import type { Inline, LessonHead, LessonItem } from './engine.generated';
import { LESSONS } from './lessons.generated';

const PLACE = '#handout/';

/** For whom a handout is: learners have room to write, teachers have answers, reasons and notes. */
export type HandoutReader = 'learner' | 'teacher';

/** Where a handout is. */
export interface HandoutPlace {
  /** The lesson. */
  id: string;
  reader: HandoutReader;
}

/** The fragment of the address of a handout. */
export function handoutAddress({ id, reader }: HandoutPlace): string {
  return `${PLACE}${id}${reader === 'teacher' ? '/teacher' : ''}`;
}

/** The handout that an address leads to; `null`: none. */
export function handoutIn(hash: string): HandoutPlace | null {
  if (!hash.startsWith(PLACE)) return null;
  const [id = '', reader, ...rest] = hash.slice(PLACE.length).split('/');
  const isKnown = LESSONS.some((lesson) => lesson.id === id);
  if (!isKnown || rest.length > 0 || (reader !== undefined && reader !== 'teacher')) return null;
  return { id, reader: reader ?? 'learner' };
}

/** The picture of the tree at one moment. */
export interface HandoutPicture {
  /** An SVG document. */
  svg: string;
  /** The sentence of the step. */
  title: string;
  /** Everything in it, in words. */
  description: string;
}

export interface HandoutScene {
  title: readonly Inline[];
  /** Everything in it, questions with the answers of the engine. */
  items: readonly LessonItem[];
}

/** A lesson as it went, for paper. */
export interface Handout {
  head: LessonHead;
  scenes: readonly HandoutScene[];
  /** The picture after each part with commands that changed it, by the number of the part. */
  pictures: ReadonlyMap<number, HandoutPicture>;
}
