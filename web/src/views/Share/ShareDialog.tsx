import './Share.css';

import { useId, useRef } from 'react';
import type { Failure, ShareResult } from '../../model/engine.generated';
import type { StoryPlace } from '../../model/storyPlace';
import { count, counted } from '../../model/words';
import { frameOf } from '../../share/embeddedLink';
import { isOnThisComputer } from '../../share/thisComputer';
import { Action } from '../shared/buttons';
import { Dialog } from '../shared/Dialog';
import type { PictureWords } from '../shared/pictureFile';
import { saveFile } from '../shared/saveFile';
import { Copy } from './Copy';
import { PictureCopies } from './PictureCopies';
import { QrCode } from './QrCode';

/** The longest link with a code that can be read from the last row [characters]. */
const CODE_MAX = 400;
/** Many programs cut longer links, or do not make links of them [characters]. */
const SAFE_MAX = 2000;

/** The engine's share result, or why there is none, and the link to it. */
export interface HandedOut {
  result: ShareResult | Failure;
  /** The address; `null`: it would be too long. */
  link: string | null;
  /** The place at which it opens; `null`: the end. */
  place: StoryPlace | null;
}

interface Props extends HandedOut {
  /** The picture in words. */
  words: PictureWords;
  onClose(): void;
}

/** The history of commands as a link, and its copies. */
export function ShareDialog({ result, link, place, words, onClose }: Props) {
  return (
    <Dialog title="Share" onClose={onClose}>
      {'script' in result ? (
        <p>
          {result.ends.length === 1
            ? 'This command rebuilds'
            : `These ${count(result.ends.length)} commands rebuild`}{' '}
          this database byte for byte (checked on a copy). Nothing is stored anywhere; the link
          holds the commands themselves.
        </p>
      ) : (
        <p role="alert">
          This state has no link: {result.message}.{result.hint && <Hint text={result.hint} />}
        </p>
      )}
      {'script' in result &&
        (link === null ? (
          <p>The story is too long for a link. Save it as a file: Levelscope opens that, too.</p>
        ) : (
          <Link link={link} place={place} />
        ))}
      <div className="share-copies">
        {'script' in result && (
          <>
            <Copied name="Script" file="shared.levelscope.txt" text={result.script}>
              the commands, one on a line; dropped into the page, it opens as the link does
            </Copied>
            <Copied name="Test" file="shared.rs" text={result.test}>
              a test in Rust, which comes to the same state
            </Copied>
          </>
        )}
        <PictureCopies words={words} />
        {link !== null && (
          <Copied name="Frame" text={frameOf(link, words.title)}>
            HTML for a page of your own: picture and time, and the commands run in memory
          </Copied>
        )}
      </div>
    </Dialog>
  );
}

/** A hint as a sentence, its commands as such. */
function Hint({ text }: { text: string }) {
  const parts = text.split('`');
  return (
    <span className="dim">
      {' '}
      {parts.map((part, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text stay where they are
        at % 2 === 1 ? <code key={at}>{part}</code> : part,
      )}
      .
    </span>
  );
}

function Link({ link, place }: { link: string; place: StoryPlace | null }) {
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <div className="share-parts">
      <div>
        <div className="share-link in-row wraps">
          <label htmlFor={id}>Link</label>
          <input
            id={id}
            className="mono"
            ref={field}
            readOnly
            value={link}
            data-first=""
            onFocus={(event) => event.currentTarget.select()}
          />
          <Copy text={link} name="the link" onDenied={() => field.current?.select()} />
        </div>
        <p className="dim">
          {place
            ? `It opens at the step that is shown now, ${place.event}, after ${counted(place.commands, 'command')}. `
            : 'It opens at the end. '}
          {counted(link.length, 'character')}
          {link.length > SAFE_MAX && ': some programs cut links as long as this one'}
          {link.length > CODE_MAX &&
            !isOnThisComputer(link) &&
            ', too many for a QR code that can be read from afar'}
          .
        </p>
      </div>
      {(link.length <= CODE_MAX || isOnThisComputer(link)) && <QrCode text={link} />}
    </div>
  );
}

interface CopiedProps {
  name: string;
  /** The name of its file; without one it is only copied. */
  file?: string;
  text: string;
  children: string;
}

function Copied({ name, file, text, children }: CopiedProps) {
  return (
    <>
      <p>
        <strong>{name}</strong>: <span className="dim">{children}</span>
      </p>
      <Copy text={text} name={`the ${name.toLowerCase()}`} />
      {file === undefined ? (
        <span />
      ) : (
        <Action
          aria-label={`Save the ${name.toLowerCase()} as a file`}
          onClick={() => saveFile(file, new Blob([text], { type: 'text/plain' }))}
        >
          Save
        </Action>
      )}
    </>
  );
}
