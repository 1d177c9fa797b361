// The picture of docs/PERFORMANCE.md, drawn from the figures of one run: for each workload, how many times as fast
// Levelscope is as each other engine. Readable on light and dark pages.

const WIDTH = 860;
const LEFT = 190;
const RIGHT = 96;
const TOP = 78;
const ROW = 24;
/** Ratios beyond are drawn at the edge; the figure at the right tells. */
const EDGE = 10;

const SHAPES = {
  leveldb: (x, y) => `<circle cx="${x}" cy="${y}" r="5.5"/>`,
  rocksdb: (x, y) => `<rect x="${x - 5}" y="${y - 5}" width="10" height="10"/>`,
  fjall: (x, y) => `<path d="M${x} ${y - 6.5}l6.5 6.5l-6.5 6.5l-6.5 -6.5z"/>`,
  surrealkv: (x, y) => `<path d="M${x} ${y - 6.5}l6.5 12h-13z"/>`,
};

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .dim { fill: #59636e } .name { text-anchor: end } .middle { text-anchor: middle } .head { font-weight: 600; font-size: 15px }
  .grid { stroke: #d1d9e0 } .one { stroke: #59636e; stroke-width: 1.5 } .back { fill: #ffffff }
  .leveldb { fill: #0969da } .rocksdb { fill: #bc4c00 } .fjall { fill: #1a7f37 } .surrealkv { fill: #8250df }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .dim { fill: #9198a1 } .grid { stroke: #3d444d } .one { stroke: #9198a1 } .back { fill: #0d1117 }
    .leveldb { fill: #58a6ff } .rocksdb { fill: #f0883e } .fjall { fill: #3fb950 } .surrealkv { fill: #bc8cff }
  }`;

const round = (value) => Math.round(value * 10) / 10;

/** Where a ratio stands [px]; the scale is logarithmic, 1 in the middle. */
function place(ratio) {
  const width = WIDTH - LEFT - RIGHT;
  const power = Math.log10(Math.min(Math.max(ratio, 1 / EDGE), EDGE));
  return round(LEFT + width * (0.5 + power / 2));
}

export const shownRatio = (ratio) => (ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2));

function row({ workload, medians, ratio }, y) {
  const own = medians.find(({ engine }) => engine === 'levelscope');
  const marks = medians
    .filter(({ engine }) => engine in SHAPES)
    .map(({ engine, perSecond }) => {
      const times = own.perSecond / perSecond;
      const title = `<title>${workload}: ${shownRatio(times)} times as fast as ${engine}</title>`;
      return `<g class="${engine}">${title}${SHAPES[engine](place(times), y)}</g>`;
    });
  return [
    `<text class="name" x="${LEFT - 14}" y="${y + 4}">${workload}</text>`,
    `<line class="grid" x1="${LEFT}" y1="${y}" x2="${WIDTH - RIGHT}" y2="${y}"/>`,
    ...marks,
    `<text x="${WIDTH - RIGHT + 14}" y="${y + 4}">× ${shownRatio(ratio.speed)}</text>`,
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
  const bottom = height - 40;
  const scale = [0.1, 0.2, 0.5, 1, 2, 5, 10].map((value) => {
    const x = place(value);
    const line = `<line class="${value === 1 ? 'one' : 'grid'}" x1="${x}" y1="${TOP - 18}" x2="${x}" y2="${bottom}"/>`;
    return `${line}<text class="dim middle" x="${x}" y="${bottom + 18}">${value}</text>`;
  });
  const legend = engines
    .filter(({ name }) => name in SHAPES)
    .map(({ name, title, version }, index) => {
      const x = LEFT + index * 140;
      return `<g class="${name}">${SHAPES[name](x + 6, 44)}</g><text x="${x + 18}" y="48">${title} ${version}</text>`;
    });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Speed of Levelscope beside other engines">
<title>How many times as fast Levelscope is as each other engine</title>
<style>${STYLE}
</style>
<rect class="back" width="${WIDTH}" height="${height}"/>
<text class="head" x="${LEFT}" y="22">Operations a second, Levelscope ÷ the other engine</text>
<text class="dim" x="${WIDTH - RIGHT + 14}" y="48">best other</text>
${legend.join('\n')}
${scale.join('\n')}
${rows.map((each, index) => row(each, TOP + index * ROW)).join('\n')}
<text class="dim" x="${LEFT}" y="${height - 4}">← slower</text>
<text class="dim name" x="${WIDTH - RIGHT}" y="${height - 4}">faster →</text>
</svg>
`;
}
