import { narration } from '../../model/page';
import type { Page } from '../../model/shown';
import { stageScene } from '../Stage/scene/stage';
import { sceneWords } from '../Stage/scene/words';
import type { PictureWords } from '../shared/pictureFile';

/** Wide enough for all objects [px]. */
const SIZE = { width: 2000, height: 900 };

/** The picture of the tree at the step on show, in words. */
export function pictureWords(page: Page): PictureWords {
  const scene = stageScene(page.view, page.writing, SIZE.width, SIZE.height);
  return {
    title: narration(page) || 'A database at its beginning.',
    description: sceneWords(scene),
  };
}
