import type { LabInfo, LabReport } from '../model/engine.generated';

/** A lab as the engine would list it. */
export const SAMPLE_LAB: LabInfo = {
  id: 'L1',
  title: 'varint lengths',
  question: 'How much smaller do varint lengths make a table?',
  claim: 'about 10 % smaller',
  source: { authors: 'A. Writer', title: 'An article', place: 'section 2' },
  original: '7.1 %',
  words: '',
  usualWords: '',
  parameters: [
    { name: 'records', meaning: 'pairs written', default: 700, min: 1, max: 100_000 },
    { name: 'seed', meaning: 'other data', default: 1, min: 0, max: 1000 },
  ],
  timed: false,
};

/** Its report. */
export const SAMPLE_REPORT: LabReport = {
  lab: SAMPLE_LAB,
  settings: [
    { name: 'records', value: 900 },
    { name: 'seed', value: 1 },
  ],
  words: '',
  place: null,
  stopped: false,
  findings: ['Varint lengths save 7.1 % of a table.'],
  figures: [
    {
      name: 'smaller by',
      unit: '%',
      digits: 1,
      claimed: '~10 %',
      claimVerdict: 'notMet',
      original: '7.1 %',
      originalVerdict: 'agrees',
      ours: 7.12,
      note: '',
    },
  ],
  tables: [
    {
      title: 'Bytes of the tables',
      columns: [
        { name: 'format', unit: '', digits: 0, timed: false },
        { name: 'all tables', unit: 'bytes', digits: 0, timed: false },
        { name: 'each entry', unit: 'bytes', digits: 2, timed: false },
      ],
      rows: [
        ['fixed, "u16"', 19_700, 28.14],
        ['varint', 18_300, null],
      ],
    },
  ],
  charts: [
    {
      title: 'Bytes of the tables',
      kind: 'bars',
      table: 0,
      x: 0,
      series: [1],
      xLogarithmic: false,
      yLogarithmic: false,
    },
  ],
  command: "levelscope --memory -c 'lab L1 --records 900'",
};
