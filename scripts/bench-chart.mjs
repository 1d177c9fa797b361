// The picture of `npm run bench`: for each workload and browser, how many times as fast Levelscope is as each other store.
// Readable on light and dark pages.

import { rateOf, STORES, WORKLOADS } from './bench-report.mjs';

const WIDTH = 860;
const LEFT = 230;
const RIGHT = 40;
const TOP = 78;
const ROW = 24;
const GROUP = 34;
/** The scale [times as fast]; ratios beyond are drawn at its edge. */
const [LOW, HIGH] = [0.1, 1000];

const SHAPES = {
  sqlite: (x, y) => `<circle cx="${x}" cy="${y}" r="5.5"/>`,
  indexeddb: (x, y) => `<rect x="${x - 5}" y="${y - 5}" width="10" height="10"/>`,
  raw: (x, y) => `<path d="M${x} ${y - 6.5}l6.5 6.5l-6.5 6.5l-6.5 -6.5z"/>`,
};

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .dim { fill: #59636e } .name { text-anchor: end } .middle { text-anchor: middle } .head { font-weight: 600; font-size: 15px }
  .grid { stroke: #d1d9e0 } .one { stroke: #59636e; stroke-width: 1.5 } .back { fill: #ffffff }
  .sqlite { fill: #0969da } .indexeddb { fill: #bc4c00 } .raw { fill: #1a7f37 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .dim { fill: #9198a1 } .grid { stroke: #3d444d } .one { stroke: #9198a1 } .back { fill: #0d1117 }
    .sqlite { fill: #58a6ff } .indexeddb { fill: #f0883e } .raw { fill: #3fb950 }
  }`;

/** Where a ratio stands [px]; the scale is logarithmic. */
function place(ratio) {
  const [low, high] = [Math.log10(LOW), Math.log10(HIGH)];
  const power = Math.log10(Math.min(Math.max(ratio, LOW), HIGH));
  const part = (power - low) / (high - low);
  return Math.round((LEFT + (WIDTH - LEFT - RIGHT) * part) * 10) / 10;
}

function row(browser, [workload, title], y) {
  const own = rateOf(browser, 'levelscope', workload);
  const marks = Object.keys(SHAPES).flatMap((store) => {
    const other = rateOf(browser, store, workload);
    if (other === undefined || own === undefined) return [];
    const times = own / other;
    const shown = times >= 10 ? times.toFixed(0) : times.toFixed(2);
    const says = `${browser.name}, ${title}: ${shown} times as fast as ${STORES[store].title}`;
    return `<g class="${store}"><title>${says}</title>${SHAPES[store](place(times), y)}</g>`;
  });
  return [
    `<text class="name" x="${LEFT - 14}" y="${y + 4}">${title}</text>`,
    `<line class="grid" x1="${LEFT}" y1="${y}" x2="${WIDTH - RIGHT}" y2="${y}"/>`,
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
  const scale = [0.1, 1, 10, 100, 1000].map((value) => {
    const x = place(value);
    const line = `<line class="${value === 1 ? 'one' : 'grid'}" x1="${x}" y1="${TOP - 8}" x2="${x}" y2="${bottom}"/>`;
    return `${line}<text class="dim middle" x="${x}" y="${bottom + 18}">${value}</text>`;
  });
  const legend = Object.entries(SHAPES).map(([store, shape], index) => {
    const x = LEFT + index * 170;
    return `<g class="${store}">${shape(x + 6, 44)}</g><text x="${x + 18}" y="48">${STORES[store].title}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 46}" role="img" aria-label="Speed of Levelscope in browsers beside other stores">
<title>How many times as fast Levelscope is as each other store in browsers</title>
<style>${STYLE}
</style>
<rect class="back" width="${WIDTH}" height="${bottom + 46}"/>
<text class="head" x="${LEFT}" y="22">Operations a second, Levelscope ÷ the other store</text>
${legend.join('\n')}
${scale.join('\n')}
${groups.join('\n')}
<text class="dim" x="${LEFT}" y="${bottom + 40}">← slower</text>
<text class="dim name" x="${WIDTH - RIGHT}" y="${bottom + 40}">faster →</text>
</svg>
`;
}
