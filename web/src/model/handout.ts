// Addresses of handouts: lessons on paper.

import { LESSONS } from './lessons.generated';

const PLACE = '#handout/';

/** For whom a handout is: learners have room to write, teachers have answers, reasons and notes. */
export type HandoutReader = 'learner' | 'teacher';

/** The address of a handout. */
export interface HandoutPlace {
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
