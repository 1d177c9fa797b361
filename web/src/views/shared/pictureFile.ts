import { saveFile } from './saveFile';

export const PICTURE_FORMATS = ['svg', 'png'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** The styles that make the look of a picture. */
const KEPT = [
  'display',
  'visibility',
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'paint-order',
  'stop-color',
  'opacity',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'text-anchor',
  'text-decoration',
  'marker-end',
] as const;

/** A picture in words, for those who cannot see it. */
export interface PictureWords {
  /** One sentence. */
  title: string;
  /** Everything in it. */
  description: string;
}

/** The picture as it looks now, as an SVG document of its own. */
function pictureText(picture: SVGSVGElement, words: PictureWords | null): string {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const originals = [picture, ...picture.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  for (const [index, original] of originals.entries()) {
    const style = getComputedStyle(original);
    for (const name of KEPT) copies[index]?.style.setProperty(name, style.getPropertyValue(name));
  }
  const background = getComputedStyle(picture).getPropertyValue('--panel');
  copy.style.setProperty('background', background);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  if (words) describe(copy, words);
  return new XMLSerializer().serializeToString(copy);
}

/** Gives a picture its words; those of the page's controls in it are gone. */
function describe(copy: SVGSVGElement, words: PictureWords): void {
  for (const part of copy.querySelectorAll('*')) {
    for (const name of ['id', 'role', 'tabindex', 'class']) {
      // A definition that others refer to, such as a pattern, keeps its name.
      if (name !== 'id' || !part.closest('defs')) part.removeAttribute(name);
    }
    for (const name of part.getAttributeNames()) {
      if (/^(aria|data)-/.test(name)) part.removeAttribute(name);
    }
  }
  const named = (tag: 'title' | 'desc', text: string) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    element.id = tag;
    element.textContent = text;
    return element;
  };
  copy.prepend(named('title', words.title), named('desc', words.description));
  copy.setAttribute('role', 'img');
  copy.setAttribute('aria-labelledby', 'title desc');
}

/** Saves a picture as it looks now; SVG has its `words`, too. */
export async function savePicture(
  picture: SVGSVGElement,
  name: string,
  format: PictureFormat,
  words: PictureWords | null = null,
): Promise<void> {
  const { clientWidth, clientHeight } = picture;
  const text = pictureText(picture, words);
  const svg = new Blob([text], { type: 'image/svg+xml' });
  const blob = format === 'svg' ? svg : await raster(text, clientWidth, clientHeight);
  saveFile(`${name}.${format}`, blob);
}

async function raster(svg: string, width: number, height: number): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  // Twice as fine as on the page: it may be shown on a wall.
  canvas.width = width * 2;
  canvas.height = height * 2;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture was made.'))));
  });
}
