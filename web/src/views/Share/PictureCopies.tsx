import { Action } from '../shared/buttons';
import { PICTURE_FORMATS, type PictureWords, savePicture } from '../shared/pictureFile';
import { Copy } from './Copy';

/** The picture of the tree on the page; `null` while something else is shown. */
function pictureOnShow(): SVGSVGElement | null {
  return document.querySelector<SVGSVGElement>('.stage > svg');
}

/** The picture of the tree as files, and its words. */
export function PictureCopies({ words }: { words: PictureWords }) {
  const isOnShow = pictureOnShow() !== null;
  return (
    <>
      <p>
        <strong>Picture</strong>:{' '}
        <span className="dim">
          {isOnShow
            ? 'the tree as it is drawn now, and the same in words, for the alternative text of an image'
            : 'the tree is not on show now; here is its description in words'}
        </span>
      </p>
      <Copy
        text={`${words.title}\n${words.description}`}
        name="the alternative text of the picture"
        verb="Copy text"
      />
      <span className="share-formats">
        {isOnShow &&
          PICTURE_FORMATS.map((format) => (
            <Action
              key={format}
              aria-label={`Save the picture as ${format.toUpperCase()}`}
              onClick={() => {
                const picture = pictureOnShow();
                if (picture) void savePicture(picture, 'levelscope-tree', format, words);
              }}
            >
              {format.toUpperCase()}
            </Action>
          ))}
      </span>
    </>
  );
}
