import type { Stretch } from '../../model/engine.generated';
import { count } from '../../model/words';

/** Least width of a part [shares of the ribbon]. */
const WIDTH_MIN = 0.003;

/** One stretch where it is drawn; `x` and `width` are shares of the whole ribbon. */
export type RibbonPart = ReturnType<typeof ribbonParts>[number];

/** The ribbon of a file of `total` bytes: to scale, except that narrow parts get a visible width. */
export function ribbonParts(stretches: readonly Stretch[], total: number) {
  const whole = Math.max(total, 1);
  const least = Math.min(WIDTH_MIN, 0.5 / Math.max(stretches.length, 1));
  const share = (stretch: Stretch) => stretch.bytes / whole;
  const small = stretches.filter((stretch) => share(stretch) < least);
  const rest = 1 - small.reduce((sum, stretch) => sum + share(stretch), 0);
  const left = 1 - small.length * least;
  const factor = rest > 0 ? left / rest : 1;
  let x = 0;
  return stretches.map((stretch) => {
    const width = share(stretch) < least ? least : share(stretch) * factor;
    const part = { stretch, x, width };
    x += width;
    return part;
  });
}

/** Where the byte at `offset` is in the ribbon, as a share. */
export function ribbonX(parts: readonly RibbonPart[], offset: number): number {
  const part = parts.findLast(({ stretch }) => stretch.offset <= offset);
  if (!part) return 0;
  const { stretch, x, width } = part;
  const within = Math.min(1, (offset - stretch.offset) / Math.max(stretch.bytes, 1));
  return x + within * width;
}

/** The screen reader's text for a stretch. */
export function stretchLabel({ name, bytes, offset }: Stretch): string {
  return `${name}: ${count(bytes)} bytes at ${count(offset)}`;
}

/** Colours of a picture that leaves the page, by kind of stretch. */
export type RibbonColours = (kind: string) => { fill: string; ink: string; paper: string };

/** The size of that picture [px]. */
export const RIBBON_SIZE = { width: 1200, height: 120 };

/** The ribbon as an SVG file. User bytes are not in it; names are escaped all the same. */
export function ribbonSvg(
  title: string,
  stretches: readonly Stretch[],
  total: number,
  colours: RibbonColours,
): string {
  const { width, height } = RIBBON_SIZE;
  const left = 20;
  const inner = width - 2 * left;
  const { ink, paper } = colours('');
  const boxes = ribbonParts(stretches, total).map(({ stretch, x, width: share }) => {
    const from = left + x * inner;
    const wide = share * inner;
    const name = escapeXml(stretch.name);
    const label =
      wide > name.length * 7.5 + 8
        ? `<text x="${(from + wide / 2).toFixed(1)}" y="67" text-anchor="middle">${name}</text>`
        : '';
    const box = `<rect x="${from.toFixed(2)}" y="40" width="${wide.toFixed(2)}" height="44" fill="${colours(stretch.kind).fill}" stroke="${paper}"><title>${escapeXml(stretchLabel(stretch))}</title></rect>`;
    return box + label;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="${ink}">`,
    `<title>${escapeXml(title)}</title><rect width="${width}" height="${height}" fill="${paper}"/>`,
    `<text x="${left}" y="27" font-size="16" font-weight="600">${escapeXml(title)}</text>`,
    ...boxes,
    `<text x="${left}" y="104">0</text><text x="${width - left}" y="104" text-anchor="end">${count(total)} bytes</text>`,
    '</svg>',
  ].join('\n');
}

function escapeXml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replace(/[&<>"]/g, (character) => names[character] ?? '');
}
