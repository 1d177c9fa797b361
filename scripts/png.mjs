// Pictures with few colours: screenshots as sharp as before, at a quarter of the size, and drawings. Reads only what a
// browser writes: eight bits a channel, RGB or RGBA, not interlaced.

import { deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = 256;

/** `png` with at most 256 colours; the commonest stay exactly as they are. */
export function withPalette(png) {
  const { width, height, pixels } = decode(png);
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = choose(counts);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  for (const colour of counts.keys()) {
    if (!places.has(colour)) places.set(colour, nearest(palette, colour));
  }
  return encode({ width, height, palette, places: pixels.map((colour) => places.get(colour)) });
}

/** A PNG of `places` in a palette of at most 256 colours (0xrrggbb), row by row. */
export function encode({ width, height, palette, places }) {
  // Without filters: neighbouring places of a palette have nothing to do with each other.
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    rows.set(places.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => channels(colour)));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const channels = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];

/** The commonest colours, and of the rest those that are farthest from all chosen so far. */
function choose(counts) {
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  const chosen = byCount.slice(0, COLOURS * 0.75);
  const rest = byCount.slice(chosen.length, chosen.length + 4096);
  const far = rest.map((colour) => Math.min(...chosen.map((known) => distance(known, colour))));
  while (chosen.length < Math.min(COLOURS, byCount.length)) {
    let best = 0;
    for (let index = 1; index < rest.length; index += 1) if (far[index] > far[best]) best = index;
    const added = rest[best];
    chosen.push(added);
    for (const [index, colour] of rest.entries()) {
      far[index] = Math.min(far[index], distance(added, colour));
    }
  }
  return chosen;
}

function nearest(palette, colour) {
  let best = 0;
  for (let place = 1; place < palette.length; place += 1) {
    if (distance(palette[place], colour) < distance(palette[best], colour)) best = place;
  }
  return best;
}

function distance(one, other) {
  const red = (one >> 16) - (other >> 16);
  const green = ((one >> 8) & 255) - ((other >> 8) & 255);
  const blue = (one & 255) - (other & 255);
  return 2 * red * red + 4 * green * green + blue * blue;
}

/** Width, height and the colours of all pixels as 0xrrggbb. */
function decode(png) {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('this is no PNG');
  const parts = [];
  let head;
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const kind = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') head = body;
    if (kind === 'IDAT') parts.push(body);
    at += length + 12;
  }
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const size = { 2: 3, 6: 4 }[head[9]];
  if (head[8] !== 8 || size === undefined || head[12] !== 0) throw new Error('an unusual PNG');
  const data = inflateSync(Buffer.concat(parts));
  const stride = width * size;
  const pixels = new Uint32Array(width * height);
  let above = Buffer.alloc(stride);
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1);
    const row = data.subarray(start + 1, start + 1 + stride);
    unfilter(data[start], row, above, size);
    for (let x = 0; x < width; x += 1) {
      const at = x * size;
      pixels[y * width + x] = (row[at] << 16) | (row[at + 1] << 8) | row[at + 2];
    }
    above = row;
  }
  return { width, height, pixels };
}

function unfilter(filter, row, above, size) {
  for (let at = 0; at < row.length; at += 1) {
    const left = at >= size ? row[at - size] : 0;
    const up = above[at];
    const corner = at >= size ? above[at - size] : 0;
    row[at] += [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
  }
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [l, u, c] = [left, up, corner].map((each) => Math.abs(guess - each));
  if (l <= u && l <= c) return left;
  return u <= c ? up : corner;
}

const CRCS = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function chunk(kind, body) {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), body]);
  let crc = 0xffffffff;
  for (const byte of named) crc = CRCS[(crc ^ byte) & 255] ^ (crc >>> 8);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
  return Buffer.concat([length, named, sum]);
}
