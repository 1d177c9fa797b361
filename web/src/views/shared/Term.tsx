import './Term.css';

import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { TERMS, type TermName } from '../../model/terms.generated';
import { float } from './placeIn';
import { useKeyDown } from './useKeyDown';
import { useOutside } from './useOutside';

interface Props {
  /** The term of the glossary. */
  name: TermName;
  /** The word as the text has it; the term itself if nothing is given. */
  children?: ReactNode;
}

const PRESS = ['pointerdown'];

/** A word whose sentence of the glossary appears on hover, focus and tap; Escape closes it. */
export function Term({ name, children }: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const word = useRef<HTMLButtonElement>(null);
  const whole = useRef<HTMLSpanElement>(null);
  useOutside(whole, PRESS, () => setOpen(false), open);
  // Wherever the focus is.
  useKeyDown(({ key }) => {
    if (key === 'Escape') setOpen(false);
  }, open);
  const onPointer = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') setOpen(event.type === 'pointerenter');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    event.preventDefault();
    event.stopPropagation();
    setOpen(false);
  };
  return (
    <span className="term" ref={whole} onPointerEnter={onPointer} onPointerLeave={onPointer}>
      <button
        type="button"
        ref={word}
        aria-describedby={open ? id : undefined}
        onClick={() => setOpen(true)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      >
        {children ?? name}
      </button>
      {open && <Sentence id={id} name={name} word={word} />}
    </span>
  );
}

/** The sentence, below the word or above it, inside the window. */
function Sentence(props: {
  id: string;
  name: TermName;
  word: { current: HTMLButtonElement | null };
}) {
  const { id, name, word } = props;
  const box = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const place = word.current?.getBoundingClientRect();
    if (place && box.current) float(box.current, place);
  }, [word]);
  return (
    <span className="term-sentence" role="tooltip" id={id} ref={box}>
      {TERMS[name]}
    </span>
  );
}
