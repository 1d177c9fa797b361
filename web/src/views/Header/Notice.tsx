import './Notice.css';

import { type ReactNode, useEffect, useRef } from 'react';
import type { ErrorKind, ReadOnlyCause } from '../../model/engine.generated';
import type { Connection } from '../../model/page';
import { Primary, Quiet } from '../shared/buttons';

interface Props {
  connection: Connection;
  readOnly: ReadOnlyCause | null;
  /** Whether the current branch is only in memory, and would be lost with the page. */
  inMemory: boolean;
  onTakeOver(): void;
  onOpenInMemory(): void;
  onReload(): void;
}

/** The problem that keeps the page from working as usual, and what to do about it. */
export function Notice(props: Props) {
  const { connection, readOnly, inMemory } = props;
  switch (connection.state) {
    case 'owned':
      return (
        <Full title="Another tab owns this database">
          <p>
            Only one tab at a time may write its files. Go back to the other tab, or take the
            database over: the other tab then closes it properly and stops. Everything that was
            acknowledged is kept. History and branches come along as long as the database has at
            most 4 MiB; the other tab’s breakpoints are lost.
          </p>
          <Primary onClick={props.onTakeOver}>Take over</Primary>
          <Quiet onClick={props.onOpenInMemory}>Work in memory here, not saved</Quiet>
        </Full>
      );
    case 'lost':
      return (
        <Full title="Another tab has taken over this database">
          <p>
            The saved database is in the other tab, with everything that was acknowledged, and with
            its history and branches as long as it has at most 4 MiB. The breakpoints and opened
            files of this tab are lost.
          </p>
          <Primary onClick={props.onTakeOver}>Take the database back</Primary>
        </Full>
      );
    case 'failed':
      return (
        <Full
          title={
            connection.kind === 'panic' ? 'The engine has stopped' : 'The database did not open'
          }
        >
          <p className="note-box is-bad">{connection.message}</p>
          <p>
            Nothing was deleted. Reloading starts the engine again, and it recovers everything that
            was durable. In memory you can go on without these files.
          </p>
          <Primary onClick={props.onReload}>Reload the page</Primary>
          <Quiet onClick={props.onOpenInMemory}>Work in memory, not saved</Quiet>
        </Full>
      );
    default:
      break;
  }
  if (readOnly !== null) {
    return (
      <div className="banner rigid bad" role="alert">
        <b>▲ Read-only.</b> {asSentence(readOnly.error)} {adviceAfter(readOnly.kind, inMemory)}
      </div>
    );
  }
  return null;
}

/** Errors of the engine end without a period. */
const asSentence = (error: string) => (error.endsWith('.') ? error : `${error}.`);

/** Advice after the failure that made the database read-only. It never loses a branch. */
function adviceAfter(failure: ErrorKind, inMemory: boolean): string {
  if (failure === 'outOfSpace') {
    return inMemory
      ? 'Reads go on. Delete what you no longer need, or go on from an earlier step with `fork`.'
      : 'Reads go on. Free some space, then open the database again: every write acknowledged as durable is recovered.';
  }
  return inMemory
    ? 'Reads go on where the bytes are sound. `check` names the damaged parts; `branch main` goes back to the database that this branch left.'
    : 'Reads go on where the bytes are sound. `check` names the damaged parts; `export` saves the files as they are.';
}

function Full({ title, children }: { title: string; children: ReactNode }) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.focus(), []);
  return (
    <div className="notice" role="alertdialog" aria-label={title}>
      <div className="notice-card" ref={card} tabIndex={-1}>
        <h2>{title}</h2>
        {children}
      </div>
    </div>
  );
}
