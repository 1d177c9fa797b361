import type { Stretch } from '../../model/engine.generated';
import { type PictureFormat, saveSvg } from '../shared/pictureFile';
import { RIBBON_SIZE, type RibbonColours, ribbonSvg } from './scene';

const TOKENS: Readonly<Record<string, string>> = {
  block: '--kind',
  filter: '--bloom',
  record: '--wal',
  damaged: '--alert',
};

/** The current colours of the page. */
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
  format: PictureFormat,
  element: Element,
  name: string,
  stretches: readonly Stretch[],
  total: number,
): Promise<void> {
  const svg = ribbonSvg(name, stretches, total, plainColours(coloursOf(element)));
  await saveSvg(svg, RIBBON_SIZE.width, RIBBON_SIZE.height, name, format);
}

/** Resolves a mixed colour with a canvas, because other programs cannot read `color-mix`. */
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
