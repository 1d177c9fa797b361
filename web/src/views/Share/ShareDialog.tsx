import './Share.css';

import { useId, useRef, useState } from 'react';
import type { ShareResult } from '../../model/engine.generated';
import type { StoryPlace } from '../../model/storyPlace';
import { counted } from '../../model/words';
import { Dialog } from '../shared/Dialog';
import { saveFile } from '../shared/saveFile';
import { QrCode } from './QrCode';

/** The longest link with a code that can be read from the last row [characters]. */
const CODE_MAX = 400;
/** Many programs cut longer links, or do not make links of them [characters]. */
const SAFE_MAX = 2000;

interface Props {
  result: ShareResult;
  /** The address; `null`: it would be too long. */
  link: string | null;
  /** The place at which it opens; `null`: the end. */
  place: StoryPlace | null;
  onClose(): void;
}

/** What was done as a link, and as other copies of it. */
export function ShareDialog({ result, link, place, onClose }: Props) {
  const commands = counted(result.ends.length, 'command');
  return (
    <Dialog title="Share" onClose={onClose}>
      <p>
        {commands} from an empty database to this one. They were tried on a copy first: they lead to
        the same bytes. Nothing is stored anywhere; the link holds the commands themselves.
      </p>
      {link === null ? (
        <p>The story is too long for a link. Save it as a file: Levelscope opens that, too.</p>
      ) : (
        <Link link={link} place={place} />
      )}
      <div className="share-copies">
        <Copied name="Script" file="shared.levelscope.txt" text={result.script}>
          the commands, one on a line; dropped into the page, it opens as the link does
        </Copied>
        <Copied name="Lesson" file="shared.md" text={result.lesson}>
          the beginning of a lesson, with claims that hold
        </Copied>
        <Copied name="Test" file="shared.rs" text={result.test}>
          a test in Rust, which comes to the same state
        </Copied>
      </div>
    </Dialog>
  );
}

function Link({ link, place }: { link: string; place: StoryPlace | null }) {
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <div className="share-parts">
      <div>
        <div className="share-link">
          <label htmlFor={id}>Link</label>
          <input
            id={id}
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
          {link.length > CODE_MAX && ', too many for a QR code that can be read from afar'}.
        </p>
      </div>
      {link.length <= CODE_MAX && <QrCode text={link} />}
    </div>
  );
}

interface CopiedProps {
  name: string;
  /** The name of the file. */
  file: string;
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
      <button
        type="button"
        className="quiet"
        aria-label={`Save the ${name.toLowerCase()} as a file`}
        onClick={() => saveFile(file, new Blob([text], { type: 'text/plain' }))}
      >
        Save
      </button>
    </>
  );
}

interface CopyProps {
  text: string;
  /** What is copied. */
  name: string;
  /** The browser allows no access to the clipboard. */
  onDenied?(): void;
}

/** Puts a text into the clipboard, and says whether that was allowed. */
function Copy({ text, name, onDenied }: CopyProps) {
  const [told, setTold] = useState('Copy');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setTold('Copied');
    } catch {
      setTold('Not allowed');
      onDenied?.();
    }
  };
  return (
    <button type="button" className="command" onClick={copy} aria-label={`${told}: ${name}`}>
      <span aria-live="polite">{told}</span>
    </button>
  );
}
