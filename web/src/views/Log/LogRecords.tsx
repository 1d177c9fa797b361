import { partQuery } from '../../model/ask';
import type { WalView } from '../../model/engine.generated';
import { count } from '../../model/words';
import { useMoment } from '../shared/contexts';
import { DataTable } from '../shared/DataTable';
import { Pick } from '../shared/Facts';
import { useAnswer } from '../shared/useAnswer';
import { type LogPart, logParts, type Safety } from './scene';

/** The newest parts of a log that are shown. */
const PARTS_MAX = 100;

const WORDS: Readonly<Record<Safety, string>> = {
  synced: 'synced',
  written: 'written, not synced',
  memory: 'in memory only',
  damaged: 'damaged',
};

/** The records of a log, as the engine reads them, and how safe each one is. */
export function LogRecords({ wal }: { wal: WalView }) {
  const moment = useMoment();
  const file = `wal:${wal.wal}`;
  // Beside the records there are a header and at most one mark for each sync.
  const skip = Math.max(0, wal.writtenRecords - PARTS_MAX);
  const answer = useAnswer(partQuery(file, '', skip, 2 * PARTS_MAX), `${moment} ${wal.bytes}`);
  if (answer.state === 'failed') return <p className="problem">{answer.message}</p>;
  if (answer.state !== 'ready') return null;
  const { parts, skipped } = answer.result.part;
  const older = skipped > 0 ? `; ${count(skipped)} older ones are under Bytes` : '';
  return (
    <DataTable
      caption={`Records, newest first${older}`}
      rows={logParts(parts, wal).toReversed()}
      columns={[
        ['offset', ({ offset }) => count(offset)],
        ['what', (part) => <Record part={part} file={file} />, 'head'],
        ['length', ({ bytes }) => `${count(bytes)} B`],
        ['is', ({ safety }) => WORDS[safety]],
      ]}
    />
  );
}

function Record({ part: { path, name, what }, file }: { part: LogPart; file: string }) {
  return (
    <>
      {path === '' ? name : <Pick to={`${file}/${path}`}>{name}</Pick>}{' '}
      <span className="dim">{what}</span>
    </>
  );
}
