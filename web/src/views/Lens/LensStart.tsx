import './LensStart.css';

import { type ReactNode, useRef, useState } from 'react';
import {
  type Lens,
  type LensState,
  type OpeningProgress,
  SAMPLES,
  type SampleName,
} from '../../lens/lens';
import { QUESTIONS } from '../../lens/lens.generated';
import { nameIn, nameText, ownName } from '../../lens/names';
import { canPickDirectory, chosenSource, pickDirectory, pickedSource } from '../../lens/sources';
import { messageOf } from '../../model/failures';
import { counted, size } from '../../model/words';
import { listChosen } from '../../share/entries';
import { Action, Primary, Quiet, Secondary } from '../shared/buttons';
import { FailureLine } from '../shared/FailureLine';
import { FileInput } from '../shared/FileInput';
import { Name } from '../shared/Name';
import { Opening, Unopened } from './LensNotice';
import type { Named } from './useAddress';

interface Props extends Named {
  lens: Lens;
  /** Open: another directory than the one that the address names. */
  state: LensState;
  onLeave(): void;
}

const ENGINES: Readonly<Record<SampleName, string>> = {
  rocksdb: 'RocksDB',
  pebble: 'Pebble',
  leveldb: 'LevelDB',
};

/** The ways to choose a directory, and its progress until it is open. */
export function LensStart(props: Props) {
  const { lens, state, onLeave } = props;
  return (
    <main className="lens in-column lens-start scrolls on-page">
      <Quiet className="back" onClick={onLeave}>
        <span aria-hidden="true">←</span> Playground
      </Quiet>
      <div className="lens-start-card on-panel">
        <h1>Your RocksDB under the lens</h1>
        <p>
          Open the directory of a database of RocksDB, Pebble or LevelDB, or some of its files: its
          levels, its history step by step, its entries, and answers to common questions. A closed
          directory of Levelscope has the same, and files of the experiments open, too. Nothing is
          written into them, and no byte leaves this page. A database that is in use should be
          copied first.
        </p>
        <Status {...props} />
        {state.state !== 'opening' && <Ways lens={lens} />}
        <h2>What it answers</h2>
        <ol className="lens-start-questions">
          {QUESTIONS.map(({ id, text }) => (
            <li key={id}>{text}</li>
          ))}
        </ol>
      </div>
    </main>
  );
}

function Status({ state, lens, name, onDirectory }: Props): ReactNode {
  switch (state.state) {
    case 'empty':
    case 'open': {
      const closed = nameIn(name);
      if (closed === null) return null;
      return (
        <p role="status">
          <Name of={closed} /> is not open. Choose it again to get back to this place.{' '}
          {state.state === 'open' && (
            <Action onClick={() => onDirectory('')}>
              Back to <Name of={ownName(state)} />
            </Action>
          )}
        </p>
      );
    }
    case 'opening':
      return (
        <div className="note-box lens-opening in-row wraps">
          <Opening name={state.name} />
          {state.progress !== null && <span className="dim">{progressWords(state.progress)}</span>}
          <progress aria-label={`Opening ${nameText(state.name)}`} />
          <Action onClick={lens.close}>Stop</Action>
        </div>
      );
    case 'failed':
      return (
        <div className="note-box is-bad">
          <Unopened {...state} />
        </div>
      );
    case 'choosing':
      return (
        <section className="lens-choosing" aria-label="Which database?">
          <p>
            Several folders of <Name of={state.name} /> look like a database. Which one?
          </p>
          <div className="commands">
            {state.folders.map((folder) => (
              <Action key={folder} onClick={() => void lens.choose(folder)}>
                {folder === '' ? (
                  'the top level'
                ) : (
                  <code>
                    <Name of={folder} />
                  </code>
                )}
              </Action>
            ))}
          </div>
        </section>
      );
  }
}

function progressWords({ files, bytes }: OpeningProgress): string {
  const listed = `${counted(files, 'file')} listed`;
  return bytes === 0 ? listed : `${listed}, ${size(bytes)} read`;
}

function Ways({ lens }: { lens: Lens }) {
  const directory = useRef<HTMLInputElement>(null);
  const archive = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async () => {
    if (!canPickDirectory()) {
      directory.current?.click();
      return;
    }
    try {
      const root = await pickDirectory();
      if (root !== null) {
        await lens.openListed(root.name, (onListed) => pickedSource(root, onListed));
      }
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const take = async (input: HTMLInputElement) => {
    const listed = listChosen(input.files ?? []);
    input.value = '';
    if (listed.length > 0) await lens.open(await chosenSource(listed));
  };
  return (
    <>
      <div className="commands">
        <Primary onClick={() => void choose()}>Choose a directory …</Primary>
        <Secondary onClick={() => archive.current?.click()}>Choose a zip archive …</Secondary>
        <span className="dim">or drop one, or single files, anywhere on the page</span>
      </div>
      <FailureLine text={problem} />
      <div className="commands">
        <span>Just looking? Samples:</span>
        {SAMPLES.map((name) => (
          <SampleLink key={name} name={name} lens={lens} />
        ))}
      </div>
      <FileInput ref={directory} isDirectory aria-label="Directory to open" onTake={take} />
      <FileInput ref={archive} accept=".zip" aria-label="Archive to open" onTake={take} />
    </>
  );
}

/** A link, so that the address names the sample; the page opens it when the address changes. */
function SampleLink({ name, lens }: { name: SampleName; lens: Lens }) {
  const address = `#directory/${name}`;
  return (
    <a
      className="command"
      href={address}
      onClick={() => {
        // After a failed attempt the address is already that of the sample.
        if (window.location.hash === address) void lens.openSample(name);
      }}
    >
      {ENGINES[name]}
    </a>
  );
}
