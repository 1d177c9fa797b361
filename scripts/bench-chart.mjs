// The picture of `npm run bench`: for each workload and browser, how many times as fast Levelscope is as each other store.

import { rateOf, STORES, WORKLOADS } from './bench-report.mjs';
import { entry, grid, picture, scale, shownRatio, sign } from './ratio-chart.mjs';

const WIDTH = 860;
const LEFT = 256;
const RIGHT = WIDTH - 40;
const TOP = 78;
const ROW = 24;
const GROUP = 34;
const NAMES = ['sqlite', 'indexeddb', 'raw'];
const place = scale([0.1, 1000], [LEFT, RIGHT]);

function row(browser, [workload, title], y) {
  const own = rateOf(browser, 'levelscope', workload);
  const marks = NAMES.flatMap((store) => {
    const other = rateOf(browser, store, workload);
    if (other === undefined || own === undefined) return [];
    const times = own / other;
    const says = `${browser.name}, ${title}: ${shownRatio(times)} times as fast as ${STORES[store].title}`;
    return [sign(NAMES, store, place(times), y, says)];
  });
  return [
    `<text class="name" x="${LEFT - 14}" y="${y + 4}">${title}</text>`,
    `<line class="grid" x1="${LEFT}" y1="${y}" x2="${RIGHT}" y2="${y}"/>`,
    ...marks,
  ].join('\n');
}

/** The picture of one run. */
export function chart({ browsers }) {
  const workloads = Object.entries(WORKLOADS);
  const group = GROUP + workloads.length * ROW;
  const bottom = TOP + browsers.length * group - 4;
  const groups = browsers.map((browser, index) => {
    const top = TOP + index * group;
    const rows = workloads.map((each, at) => row(browser, each, top + GROUP + at * ROW));
    return `<text class="head" x="14" y="${top + 14}">${browser.name}</text>\n${rows.join('\n')}`;
  });
  return picture({
    width: WIDTH,
    height: bottom + 46,
    left: LEFT,
    right: RIGHT,
    names: NAMES,
    label: 'Speed of Levelscope in browsers beside other stores',
    others: 'store in browsers',
    parts: [
      ...NAMES.map((name, index) => entry(NAMES, name, STORES[name].title, LEFT + index * 170)),
      grid([0.1, 1, 10, 100, 1000], place, TOP - 8, bottom),
      ...groups,
    ],
  });
}
