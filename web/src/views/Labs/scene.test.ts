import { expect, it } from 'vitest';
import type { LabChart } from '../../model/engine.generated';
import { SAMPLE_REPORT } from '../../testing/labReport';
import { labPicture } from './scene';

const chart = SAMPLE_REPORT.charts[0] as LabChart;

it('draws the figures of the table', () => {
  const picture = labPicture(SAMPLE_REPORT, chart);
  expect(picture?.y.label).toBe('all tables [bytes]');
  expect(picture?.marks).toEqual([
    { x: 'fixed, "u16"', series: 'all tables', value: 19_700, text: '19,700' },
    { x: 'varint', series: 'all tables', value: 18_300, text: '18,300' },
  ]);
});

it('leaves out what is not there', () => {
  const picture = labPicture(SAMPLE_REPORT, { ...chart, series: [1, 2, 9] });
  expect(picture?.marks).toHaveLength(3);
  expect(picture?.y.label).toBe('bytes');
  expect(labPicture(SAMPLE_REPORT, { ...chart, table: 3 })).toBeNull();
});
