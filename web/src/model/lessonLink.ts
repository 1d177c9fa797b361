// Links to a scene of a lesson of the library: `#v1/l.deleting/they-meet`. They are frozen: what opens today opens in every
// later version; where a scene has another title by then, its lesson begins at the beginning.

import type { LessonScene, LessonState } from './engine.generated';
import { LESSONS } from './lessons.generated';

/** Before every link of this kind. */
const KIND = 'v1/l.';

/** The longest address that is parsed. */
const LINK_MAX = 200;

/** A place in a lesson; `scene`: the title of a scene as an address has it; empty: the beginning. */
export type LessonPlace = NonNullable<ReturnType<typeof lessonPlace>>;

/** The target of the part of an address after `#`; `null`: it is no link to a lesson of the library. */
export function lessonPlace(fragment: string) {
  if (fragment.length > LINK_MAX || !fragment.startsWith(KIND)) return null;
  const [id = '', scene = ''] = fragment.slice(KIND.length).split('/');
  return LESSONS.some((lesson) => lesson.id === id) ? { id, scene } : null;
}

/** The link to the scene on show; `null`: the lesson is not of the library. */
export function lessonLink({ head, kind, scene, scenes }: LessonState): string | null {
  if (kind !== 'lesson' || !LESSONS.some(({ id }) => id === head.id)) return null;
  const name = nameOf(scenes[scene]);
  return `${KIND}${head.id}${name === '' ? '' : `/${name}`}`;
}

/** Where the scene of a link begins; `null`: there is none of this name. */
export function sceneAt(scenes: readonly LessonScene[], wanted: string): number | null {
  return scenes.find((scene) => wanted !== '' && nameOf(scene) === wanted)?.at ?? null;
}

/** A title as an address has it: small letters, digits, and a hyphen for all between them. */
function nameOf(scene: LessonScene | undefined): string {
  const title = scene?.title.map(({ text }) => text).join('') ?? '';
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
