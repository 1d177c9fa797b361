import type { RefObject } from 'react';
import { savePicture } from './pictureFile';

interface Props {
  picture: RefObject<SVGSVGElement | null>;
  /** Name of the file, without its ending. */
  name: string;
}

const FORMATS = ['svg', 'png'] as const;

/** Two buttons that save a picture as it looks now. */
export function SavePicture({ picture, name }: Props) {
  return FORMATS.map((format) => (
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
