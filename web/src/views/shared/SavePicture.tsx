import type { RefObject } from 'react';
import { Quiet } from './buttons';
import { PICTURE_FORMATS, savePicture } from './pictureFile';

interface Props {
  picture: RefObject<SVGSVGElement | null>;
  /** Name of the file, without its ending. */
  name: string;
  /** Whether the buttons show the format alone. */
  isBrief?: boolean;
}

/** Two buttons that save a picture as it looks now. */
export function SavePicture({ picture, name, isBrief = false }: Props) {
  return PICTURE_FORMATS.map((format) => (
    <Quiet
      key={format}
      onClick={() => {
        if (picture.current) void savePicture(picture.current, name, format);
      }}
    >
      <span className={isBrief ? 'visually-hidden' : undefined}>Save </span>
      {format.toUpperCase()}
    </Quiet>
  ));
}
