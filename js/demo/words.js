// Words for to-dos, and the figures below the picture.

const deeds = [
  'Water',
  'Paint',
  'Repair',
  'Clean',
  'Sell',
  'Move',
  'Measure',
  'Photograph',
  'Sketch',
  'Order',
];
const things = [
  'the roses',
  'the fence',
  'the old radio',
  'the attic',
  'the blue bicycle',
  'a bookshelf',
  'the garden gate',
];
const places = [
  'at home',
  'in the village',
  'for Ada',
  'before Friday',
  'with Grace',
  'in the workshop',
  'for the school',
  'again',
  'at last',
  'by the lake',
  'for Edgar',
];

const pick = (list, number) => list[number % list.length];

/** A to-do that sounds like one; the same for the same number. */
export const textOf = (number) =>
  `${pick(deeds, number)} ${pick(things, number)} ${pick(places, number)}`;

const PERIOD_MS = 500;
const number = (value) => value.toLocaleString('en');
const kib = (bytes) => `${number(Math.round((bytes / 1024) * 10) / 10)} KiB`;
const ratio = (value) => (value === null ? '–' : value.toFixed(1));

/** Name, value and meaning of each figure. */
const FIGURES = [
  ['Writes', ({ puts, deletes }) => number(puts + deletes), 'Puts and deletes since opening'],
  ['Flushes', ({ flushes }) => number(flushes), 'Memtables that became tables in L0'],
  [
    'Compactions',
    ({ compactions }) => number(compactions),
    'Jobs that merged tables into the next level',
  ],
  ['Tables', ({ tableBytes }) => kib(tableBytes), 'All table files now'],
  [
    'Write amplification',
    ({ writeAmplification }) => ratio(writeAmplification),
    'Bytes of log, flushes and compactions ÷ bytes of keys and values',
  ],
];

function row(name, value, title) {
  const group = Object.assign(document.createElement('div'), { title });
  const term = Object.assign(document.createElement('dt'), { textContent: name });
  group.append(term, Object.assign(document.createElement('dd'), { textContent: value }));
  return group;
}

/** Keeps the figures of the engine up to date while the database is open. */
export async function figures(db, place) {
  while (db.status === 'open') {
    const stats = await db.levelscope.stats();
    place.replaceChildren(...FIGURES.map(([name, of, title]) => row(name, of(stats), title)));
    await new Promise((resolve) => setTimeout(resolve, PERIOD_MS));
  }
}
