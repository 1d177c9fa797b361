import type { Stretch } from '../model/engine.generated';
import { type RibbonColours, ribbonSvg } from '../scene/ribbon';

const TOKENS: Readonly<Record<string, string>> = {
  block: '--kind',
  filter: '--bloom',
  record: '--wal',
  damaged: '--alert',
};

/** The colours that the page shows at this moment. */
function coloursOf(element: Element): RibbonColours {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim() || '#888';
  return (kind) => ({
    fill: `color-mix(in srgb, ${token(TOKENS[kind] ?? '--meta')} 45%, ${token('--panel')})`,
    ink: token('--ink'),
    paper: token('--panel'),
  });
}

/** Saves the ribbon as a file, drawn in the colours of `element`. */
export async function saveRibbon(
  format: 'svg' | 'png',
  element: Element,
  name: string,
  stretches: readonly Stretch[],
  total: number,
): Promise<void> {
  const svg = ribbonSvg(name, stretches, total, plainColours(coloursOf(element)));
  const picture = new Blob([svg], { type: 'image/svg+xml' });
  save(`${name}.${format}`, format === 'svg' ? picture : await rastered(svg));
}

/** Pictures outside the page do not know how to mix colours: a canvas does it for them. */
function plainColours(colours: RibbonColours): RibbonColours {
  const context = document.createElement('canvas').getContext('2d');
  return (kind) => {
    const { fill, ink, paper } = colours(kind);
    if (!context) return { fill: '#ccc', ink, paper };
    context.fillStyle = paper;
    context.fillRect(0, 0, 1, 1);
    context.fillStyle = fill;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return { fill: `rgb(${red} ${green} ${blue})`, ink, paper };
  };
}

async function rastered(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * 2;
  canvas.height = image.height * 2;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  );
}

function save(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
