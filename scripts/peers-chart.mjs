// The picture of docs/PERFORMANCE.md, drawn from the figures of one run: for each workload, how many times as fast
// Levelscope is as each other engine.

import { entry, grid, picture, scale, shownRatio, sign } from './ratio-chart.mjs';

const WIDTH = 860;
const LEFT = 190;
const RIGHT = WIDTH - 96;
const TOP = 78;
const ROW = 24;
const NAMES = ['leveldb', 'rocksdb', 'fjall', 'surrealkv'];
/** Ratios beyond its ends are drawn there; the figure at the right tells. */
const place = scale([0.1, 10], [LEFT, RIGHT]);

function row({ workload, medians, ratio }, y) {
  const own = medians.find(({ engine }) => engine === 'levelscope');
  const marks = medians
    .filter(({ engine }) => NAMES.includes(engine))
    .map(({ engine, perSecond }) => {
      const times = own.perSecond / perSecond;
      const title = `${workload}: ${shownRatio(times)} times as fast as ${engine}`;
      return sign(NAMES, engine, place(times), y, title);
    });
  return [
    `<text class="name" x="${LEFT - 14}" y="${y + 4}">${workload}</text>`,
    `<line class="grid" x1="${LEFT}" y1="${y}" x2="${RIGHT}" y2="${y}"/>`,
    ...marks,
    `<text x="${RIGHT + 14}" y="${y + 4}">× ${shownRatio(ratio.speed)}</text>`,
  ].join('\n');
}

/** The picture of one run. */
export function chart({ engines, medians, ratios }) {
  const rows = ratios.map((ratio) => ({
    workload: ratio.workload,
    ratio,
    medians: medians.filter(({ workload }) => workload === ratio.workload),
  }));
  const height = TOP + rows.length * ROW + 46;
  const legend = engines
    .filter(({ name }) => NAMES.includes(name))
    .map(({ name, title, version }, index) =>
      entry(NAMES, name, `${title} ${version}`, LEFT + index * 140),
    );
  return picture({
    width: WIDTH,
    height,
    left: LEFT,
    right: RIGHT,
    names: NAMES,
    label: 'Speed of Levelscope beside other engines',
    others: 'engine',
    parts: [
      `<text class="dim" x="${RIGHT + 14}" y="48">best other</text>`,
      ...legend,
      grid([0.1, 0.2, 0.5, 1, 2, 5, 10], place, TOP - 18, height - 40),
      ...rows.map((each, index) => row(each, TOP + index * ROW)),
    ],
  });
}
