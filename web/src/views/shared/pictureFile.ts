import { saveFile } from './saveFile';

export const PICTURE_FORMATS = ['svg', 'png'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

const KEPT = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
] as const;

/** The picture as it looks now, as a document of its own. */
function standalone(picture: SVGSVGElement): string {
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
  return new XMLSerializer().serializeToString(copy);
}

/** Saves a picture as it looks now. */
export function savePicture(
  picture: SVGSVGElement,
  name: string,
  format: PictureFormat,
): Promise<void> {
  const { clientWidth, clientHeight } = picture;
  return saveSvg(standalone(picture), clientWidth, clientHeight, name, format);
}

/** Saves an SVG document, or what it looks like at this size [px]. */
export async function saveSvg(
  text: string,
  width: number,
  height: number,
  name: string,
  format: PictureFormat,
): Promise<void> {
  const svg = new Blob([text], { type: 'image/svg+xml' });
  const blob = format === 'svg' ? svg : await raster(text, width, height);
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
