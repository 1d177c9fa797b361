// The icons of the installed page: `node scripts/icons.mjs` draws them into web/public/icons. The drawing is the page's own
// picture, a memtable above levels that grow. All edges lie on a grid of 64, which divides every size, so nothing is blurred.

import { mkdirSync, writeFileSync } from 'node:fs';
import { asScript, path, pictures, say } from './lib.mjs';

const GRID = 64;
/** Background, memtable, and the levels from the top; the colours of the dark theme. */
const PALETTE = [0x0b0f14, 0x6effb2, 0xc0d7ff, 0x78aeff, 0x448abb];
/** Bars: colour, left, top, width, height. */
const BARS = [
  [1, 24, 8, 16, 8],
  [2, 20, 20, 11, 8],
  [2, 33, 20, 11, 8],
  [3, 14, 32, 11, 8],
  [3, 27, 32, 11, 8],
  [3, 40, 32, 10, 8],
  [4, 6, 44, 12, 12],
  [4, 20, 44, 12, 12],
  [4, 34, 44, 12, 12],
  [4, 48, 44, 10, 12],
];
/** Systems cut a maskable icon to a circle of 80 % of its width: the drawing has to fit. */
const SHRUNK = { numerator: 5, denominator: 8 };

const ICONS = [
  { name: 'icon-192', size: 192, isMaskable: false },
  { name: 'icon-512', size: 512, isMaskable: false },
  { name: 'maskable-512', size: 512, isMaskable: true },
];

function draw(sharp, { size, isMaskable }) {
  const cell = size / GRID;
  const scale = isMaskable ? (cell * SHRUNK.numerator) / SHRUNK.denominator : cell;
  const inset = (size - GRID * scale) / 2;
  const pixels = new Uint8Array(3 * size * size);
  const paint = (colour, from, to) => {
    const channels = [colour >> 16, (colour >> 8) & 255, colour & 255];
    for (let at = from; at < to; at += 1) pixels.set(channels, 3 * at);
  };
  paint(PALETTE[0], 0, size * size);
  for (const [colour, left, top, width, height] of BARS) {
    const [fromX, toX] = [left, left + width].map((x) => inset + x * scale);
    const [fromY, toY] = [top, top + height].map((y) => inset + y * scale);
    for (let y = fromY; y < toY; y += 1) {
      paint(PALETTE[colour], y * size + fromX, y * size + toX);
    }
  }
  const raw = { width: size, height: size, channels: 3 };
  return sharp(pixels, { raw }).png({ palette: true }).toBuffer();
}

async function icons() {
  const sharp = await pictures();
  mkdirSync(path('web/public/icons'), { recursive: true });
  for (const icon of ICONS) {
    const png = await draw(sharp, icon);
    const name = `web/public/icons/${icon.name}.png`;
    writeFileSync(path(name), png);
    say(`${name}: ${png.length} bytes.`);
  }
}

asScript(import.meta.url, icons);
