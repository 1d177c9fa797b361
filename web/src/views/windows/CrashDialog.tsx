import { useState } from 'react';
import { count } from '../../model/words';
import { Primary, Secondary } from '../shared/buttons';
import { useCommands } from '../shared/contexts';
import { Dialog } from '../shared/Dialog';

interface Props {
  /** The step of the past that is shown; `null`: now. */
  at: number | null;
  onClose(): void;
}

/** The fates of bytes that were never synced. */
const RULES = [
  { keep: 'none', name: 'all are lost', note: 'the worst case of a power failure' },
  { keep: 'torn', name: 'some survive', note: 'a random part, fixed by a seed' },
  { keep: 'all', name: 'all are there', note: 'only the process has died' },
] as const;

/** Moments that are still to come. */
const POINTS = [
  { point: 'before manifest.append', name: 'before the manifest is written' },
  { point: 'after manifest.append', name: 'after the manifest is written, before its sync' },
  { point: 'before flush.install', name: 'before a flush is installed' },
  { point: 'before wal.sync', name: 'before the log is synced' },
] as const;

/** Pull the plug: the files as they would be found, opened again on a branch of their own. */
export function CrashDialog({ at, onClose }: Props) {
  const { type } = useCommands();
  const [keep, setKeep] = useState<string>('none');
  const here = at === null ? '' : `at ${at}`;
  const [point, setPoint] = useState<string>(here);
  const isLater = point !== here;
  const command = ['crash', ...(point === '' ? [] : [point]), '--keep', keep].join(' ');
  return (
    <Dialog title="Pull the plug" onClose={onClose}>
      <p>
        The files are reopened in memory, on a separate branch, as a power failure would leave them.
        You can then step through the recovery. This branch does not change.
      </p>
      <fieldset className="choices">
        <legend>Bytes that were not synced</legend>
        {RULES.map((rule) => (
          <label key={rule.keep}>
            <input
              type="radio"
              name="keep"
              checked={keep === rule.keep}
              onChange={() => setKeep(rule.keep)}
            />
            <b>{rule.name}</b> <span className="dim">{rule.note}</span>
          </label>
        ))}
      </fieldset>
      <label className="choice-line in-row">
        When{' '}
        <select value={point} onChange={(event) => setPoint(event.target.value)}>
          <option value={here}>
            {at === null ? 'now' : `at step ${count(at)}, which is shown`}
          </option>
          {POINTS.map((each) => (
            <option key={each.point} value={each.point}>
              {each.name}
            </option>
          ))}
        </select>
      </label>
      <div className="dialog-foot in-row">
        <p className="dim">
          types <code>{command}</code>
          {isLater && ' and waits for it: step, or run'}
        </p>
        <Secondary onClick={onClose}>Cancel</Secondary>
        <Primary
          data-first
          onClick={() => {
            type(command);
            onClose();
          }}
        >
          Pull the plug
        </Primary>
      </div>
    </Dialog>
  );
}
