// What the pictures of ratios have in common: for each row, how many times as fast Levelscope is as others, on a
// logarithmic scale. Readable on light and dark pages.

/** The signs of the others, by their place in the legend: shape, colour on light pages and on dark ones. */
const SIGNS = [
  [(x, y) => `<circle cx="${x}" cy="${y}" r="5.5"/>`, '#0969da', '#58a6ff'],
  [(x, y) => `<rect x="${x - 5}" y="${y - 5}" width="10" height="10"/>`, '#bc4c00', '#f0883e'],
  [(x, y) => `<path d="M${x} ${y - 6.5}l6.5 6.5l-6.5 6.5l-6.5 -6.5z"/>`, '#1a7f37', '#3fb950'],
  [(x, y) => `<path d="M${x} ${y - 6.5}l6.5 12h-13z"/>`, '#8250df', '#bc8cff'],
];

export const shownRatio = (ratio) => (ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2));

/** The style of a picture in which the others have these names as their classes. */
function style(names) {
  const colours = (at) => names.map((name, n) => `.${name} { fill: ${SIGNS[n][at]} }`).join(' ');
  return `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .dim { fill: #59636e } .name { text-anchor: end } .middle { text-anchor: middle } .head { font-weight: 600; font-size: 15px }
  .grid { stroke: #d1d9e0 } .one { stroke: #59636e; stroke-width: 1.5 } .back { fill: #ffffff }
  ${colours(1)}
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .dim { fill: #9198a1 } .grid { stroke: #3d444d } .one { stroke: #9198a1 } .back { fill: #0d1117 }
    ${colours(2)}
  }`;
}

/** The sign of `name`, one of `names`, at a point; `title` is what a pointer over it tells. */
export function sign(names, name, x, y, title = '') {
  return `<g class="${name}">${title && `<title>${title}</title>`}${SIGNS[names.indexOf(name)][0](x, y)}</g>`;
}

/** An entry of the legend. */
export const entry = (names, name, text, x) =>
  `${sign(names, name, x + 6, 44)}<text x="${x + 18}" y="48">${text}</text>`;

/**
 * A scale from `low` to `high` [times as fast] between two places [px]: where a ratio stands. Ratios beyond are at an end.
 */
export function scale([low, high], [left, right]) {
  const [from, to] = [Math.log10(low), Math.log10(high)];
  return (ratio) => {
    const power = Math.log10(Math.min(Math.max(ratio, low), high));
    return Math.round((left + ((right - left) * (power - from)) / (to - from)) * 10) / 10;
  };
}

/** A line down the picture at each of `values`, with its figure below. */
export function grid(values, place, top, bottom) {
  return values
    .map((value) => {
      const x = place(value);
      const line = `<line class="${value === 1 ? 'one' : 'grid'}" x1="${x}" y1="${top}" x2="${x}" y2="${bottom}"/>`;
      return `${line}<text class="dim middle" x="${x}" y="${bottom + 18}">${value}</text>`;
    })
    .join('\n');
}

/** The picture: `parts` on a background. `others` says what Levelscope is compared with. */
export function picture({ width, height, left, right, names, label, others, parts }) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
<title>How many times as fast Levelscope is as each other ${others}</title>
<style>${style(names)}
</style>
<rect class="back" width="${width}" height="${height}"/>
<text class="head" x="${left}" y="22">Operations a second, Levelscope ÷ the other ${others.split(' ', 1)[0]}</text>
${parts.join('\n')}
<text class="dim" x="${left}" y="${height - 6}">← slower</text>
<text class="dim name" x="${right}" y="${height - 6}">faster →</text>
</svg>
`;
}
