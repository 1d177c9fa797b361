import './Questions.css';
import './ReadTab.css';

import { type FormEvent, useState } from 'react';
import { count } from '../../model/words';
import { Primary } from '../shared/buttons';
import { Field } from '../shared/Field';
import { Segments } from '../shared/Segments';
import { useQuery } from './asking';
import { Breakable } from './Breakable';
import { KeyField, keyHex, type Parsed, type TypedKey, typedKey, wrong } from './KeyField';
import { LookupResult } from './LookupResult';
import { Reading } from './Reading';
import { ScanResult } from './ScanResult';
import type { FamilyLine, FileLine, Overview, Query } from './scene/answers';

/** A read requested by another part of the page. */
export interface ReadWish {
  way: 'get' | 'scan';
  /** Hexadecimal digits of the key. */
  from: string;
}

interface Props {
  family: FamilyLine;
  overview: Pick<Overview, 'files' | 'lastSequence'>;
  wish: ReadWish | null;
  onTable(number: number): void;
}

/** A lookup or a scan. */
type ReadQuery = Extract<Query, { ask: 'get' | 'scan' }>;

const WAYS = [
  { of: 'get', name: 'get one key' },
  { of: 'scan', name: 'scan in order' },
] as const;

/** Rows of a scan at once. */
const ROWS = 50;

/** Looks a key up, or reads keys in order, at any sequence number. */
export function ReadTab({ family, overview, wish, onTable }: Props) {
  const [way, setWay] = useState<'get' | 'scan'>(wish?.way ?? 'scan');
  const [asked, setAsked] = useState<ReadQuery | null>(() => firstQuery(family, wish));
  if (!family.orderKnown) {
    return (
      <p className="lens-note">
        The order of these keys,{' '}
        <code>
          <Breakable text={family.comparator} />
        </code>
        , is not known here, so they cannot be searched.
      </p>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="lens-read scrolls" aria-label="Read" tabIndex={0}>
      <div className="in-row wraps">
        <Segments
          legend="How to read"
          choices={WAYS}
          chosen={way}
          onChoose={(next) => setWay(next)}
        />
        {overview.lastSequence !== null && (
          <span className="dim">
            The newest sequence number is {count(overview.lastSequence)}; an older one reads the
            database as it was then, as far as old versions are still there.
          </span>
        )}
      </div>
      <ReadForm
        key={way}
        {...{ way, family, wish }}
        newest={overview.lastSequence}
        onAsked={setAsked}
      />
      {asked?.ask === way && (
        <Answered
          asked={asked}
          files={overview.files}
          onTable={onTable}
          onNext={(from) => asked.ask === 'scan' && setAsked({ ...asked, from })}
        />
      )}
    </section>
  );
}

function firstQuery(family: FamilyLine, wish: ReadWish | null): ReadQuery | null {
  if (wish?.way === 'get') {
    return { ask: 'get', family: family.id, key: wish.from, sequence: null };
  }
  const from = wish?.from ?? null;
  return { ask: 'scan', family: family.id, from, to: null, limit: ROWS, sequence: null };
}

interface FormProps extends Pick<Props, 'family' | 'wish'> {
  way: 'get' | 'scan';
  /** `null`: it is not known. */
  newest: number | null;
  onAsked(asked: ReadQuery): void;
}

function ReadForm({ way, family, wish, newest, onAsked }: FormProps) {
  const [from, setFrom] = useState<TypedKey>(() => typedKey(wish?.from ?? null));
  const [to, setTo] = useState<TypedKey>(() => typedKey(null));
  const [sequence, setSequence] = useState('');
  const [problems, setProblems] = useState<readonly (string | null)[]>([]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const [first, end, at] = [keyHex(from), keyHex(to), sequenceOf(sequence)];
    setProblems([first, end, at].map(({ problem }) => problem));
    if (first.value === null || end.value === null || at.problem !== null) return;
    const common = { family: family.id, sequence: at.value };
    if (way === 'get') return onAsked({ ask: 'get', key: first.value, ...common });
    const range = { from: first.value || null, to: end.value || null };
    onAsked({ ask: 'scan', limit: ROWS, ...range, ...common });
  };
  return (
    <form className="form" onSubmit={send}>
      <KeyField
        label={way === 'get' ? 'Key' : 'From the key'}
        typed={from}
        problem={problems[0] ?? null}
        placeholder={way === 'get' ? '' : 'the first one'}
        onTyped={setFrom}
      />
      {way === 'scan' && (
        <KeyField
          label="up to, without it"
          typed={to}
          problem={problems[1] ?? null}
          placeholder="the last one"
          onTyped={setTo}
        />
      )}
      <Field
        label="at sequence number"
        inputMode="numeric"
        value={sequence}
        placeholder={newest === null ? 'newest' : `newest, ${count(newest)}`}
        problem={problems[2] ?? null}
        onTyped={setSequence}
      />
      <Primary type="submit">{way === 'get' ? 'Get' : 'Scan'}</Primary>
    </form>
  );
}

function sequenceOf(text: string): Parsed<number | null> {
  const digits = text.replace(/[,\s]/g, '');
  if (digits === '') return { value: null, problem: null };
  if (!/^\d{1,15}$/.test(digits)) return wrong('Type a number, or nothing.');
  return { value: Number(digits), problem: null };
}

interface AnsweredProps {
  asked: ReadQuery;
  files: readonly FileLine[];
  onTable(number: number): void;
  onNext(from: string): void;
}

function Answered({ asked, files, onTable, onNext }: AnsweredProps) {
  const got = useQuery(asked.ask === 'get' ? asked : null);
  const scanned = useQuery(asked.ask === 'scan' ? asked : null);
  const { failure, isCurrent } = asked.ask === 'get' ? got : scanned;
  if (failure !== null) return <p className="problem">{failure}</p>;
  if (!isCurrent) return <Reading />;
  if (got.result) {
    return <LookupResult lookup={got.result} files={files} onTable={onTable} />;
  }
  if (scanned.result) {
    return <ScanResult rows={scanned.result} onNext={onNext} />;
  }
  return null;
}
