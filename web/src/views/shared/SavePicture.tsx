import type { RefObject } from 'react';
import { PICTURE_FORMATS, savePicture } from './pictureFile';

interface Props {
  picture: RefObject<SVGSVGElement | null>;
  /** Name of the file, without its ending. */
  name: string;
}

/** Two buttons that save a picture as it looks now. */
export function SavePicture({ picture, name }: Props) {
  return PICTURE_FORMATS.map((format) => (
    <button
      type="button"
      className="quiet"
      key={format}
      onClick={() => {
        if (picture.current) void savePicture(picture.current, name, format);
      }}
    >
      Save {format.toUpperCase()}
    </button>
  ));
}
