import type { RefObject } from 'react';
import { Quiet } from './buttons';
import { PICTURE_FORMATS, savePicture } from './pictureFile';

interface Props {
  picture: RefObject<SVGSVGElement | null>;
  /** Name of the file, without its ending. */
  name: string;
}

/** Two buttons that save a picture as it looks now; they show the format alone. */
export function SavePicture({ picture, name }: Props) {
  return PICTURE_FORMATS.map((format) => (
    <Quiet
      key={format}
      onClick={() => {
        if (picture.current) void savePicture(picture.current, name, format);
      }}
    >
      <span className="visually-hidden">Save </span>
      {format.toUpperCase()}
    </Quiet>
  ));
}
