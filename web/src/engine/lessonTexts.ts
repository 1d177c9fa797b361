// The texts of the lessons, in their order: a file of its own, which the worker fetches with the first lesson.

const files = import.meta.glob<string>('../../../lessons/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const LESSON_TEXTS = Object.keys(files)
  .sort()
  .map((name) => files[name] ?? '');
