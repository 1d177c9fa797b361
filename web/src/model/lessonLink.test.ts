import { describe, expect, it } from 'vitest';
import type { LessonState } from './engine.generated';
import { lessonLink, lessonPlace, sceneAt } from './lessonLink';

const STATE: LessonState = {
  head: { id: 'deleting', title: 'D', minutes: 1, level: 1, goal: '', needs: [], source: null },
  textHash: 7,
  kind: 'lesson',
  scenes: [
    { title: [], at: 0 },
    { title: [{ is: 'text', text: 'Three keys, at rest!' }], at: 3 },
    {
      title: [
        { is: 'code', text: 'fig' },
        { is: 'text', text: ' moves' },
      ],
      at: 9,
    },
  ],
  scene: 1,
  items: [],
  waits: { until: 'read', scene: false },
  strayed: false,
  at: 4,
  end: 9,
};

describe('links to lessons', () => {
  it('lead to the scene on show', () => {
    expect(lessonLink(STATE)).toBe('v1/l.deleting/three-keys-at-rest');
    expect(lessonLink({ ...STATE, scene: 0 })).toBe('v1/l.deleting');
    for (const [scene, { at }] of STATE.scenes.entries()) {
      const place = lessonPlace(lessonLink({ ...STATE, scene }) ?? '');
      expect(place?.id).toBe('deleting');
      expect(sceneAt(STATE.scenes, place?.scene ?? '')).toBe(scene === 0 ? null : at);
    }
  });

  it('are made for lessons of the library only', () => {
    expect(lessonLink({ ...STATE, head: { ...STATE.head, id: 'mine' } })).toBeNull();
  });

  // Every version opens these.
  it.each([
    ['v1/l.log', { id: 'log', scene: '' }],
    [
      'v1/l.deleting/the-tombstone-moves-down',
      { id: 'deleting', scene: 'the-tombstone-moves-down' },
    ],
    ['v1/l.power/a-flush-in-two-halves', { id: 'power', scene: 'a-flush-in-two-halves' }],
  ])('open: %s', (fragment, place) => expect(lessonPlace(fragment)).toEqual(place));

  it.each([
    '',
    'v1/',
    'v1/l.',
    'v1/l.nothing/here',
    'v1/l.log;reset --yes',
    'v1/l.log%20--at%209',
    'v1/l.__proto__',
    'v1/t.reset%20--yes',
    'v2/l.log',
    `v1/l.log/${'a'.repeat(1_000_000)}`,
  ])('do nothing else: %.40s', (fragment) => expect(lessonPlace(fragment)).toBeNull());

  it('whose scene is not there begin at the beginning', () => {
    expect(sceneAt(STATE.scenes, 'gone')).toBeNull();
    expect(sceneAt(STATE.scenes, '')).toBeNull();
  });
});
