import './Log.css';

import { type RefObject, useRef } from 'react';
import { partQuery } from '../../model/ask';
import type { WalView } from '../../model/engine.generated';
import { count } from '../../model/words';
import { useMoment, useSelection } from '../shared/contexts';
import { DataTable } from '../shared/DataTable';
import { Pick } from '../shared/Facts';
import { SavePicture } from '../shared/SavePicture';
import { useAnswer } from '../shared/useAnswer';
import { useSize } from '../shared/useSize';
import { type LogScene, logScene, type Safety } from './scene';

/** The newest parts of a log that are shown. */
const PARTS_MAX = 100;
const FIRST_SIZE = { width: 340, height: 10 };
const SIZE_MIN = { width: 160, height: 1 };
const STRIP_H = 76;

const WORDS: Readonly<Record<Safety, string>> = {
  synced: 'synced',
  written: 'written, not synced',
  memory: 'in memory only',
  damaged: 'damaged',
};

/** The records of a log, as the engine reads them, and the end of the durable part. */
export function LogRecords({ wal }: { wal: WalView }) {
  const moment = useMoment();
  const host = useRef<HTMLDivElement>(null);
  const picture = useRef<SVGSVGElement>(null);
  const { width } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const file = `wal:${wal.wal}`;
  // Beside the records there are a header and at most one mark for each sync.
  const skip = Math.max(0, wal.writtenRecords - PARTS_MAX);
  const query = partQuery(file, '', skip, 2 * PARTS_MAX);
  const answer = useAnswer(query, `${moment} ${wal.bytes}`);
  const part = answer.state === 'ready' ? answer.result.part : null;
  const scene = part && logScene(part.parts, wal, width - 2);
  return (
    <div className="log-records" ref={host}>
      {answer.state === 'failed' && <p className="problem">{answer.message}</p>}
      {scene && (
        <>
          <Strip scene={scene} width={width} picture={picture} file={file} />
          <div className="chart-tools">
            <SavePicture picture={picture} name={`levelscope-wal-${wal.wal}`} />
          </div>
          <LogTable scene={scene} file={file} skipped={part.skipped} />
        </>
      )}
    </div>
  );
}

function Strip(props: {
  scene: LogScene;
  width: number;
  picture: RefObject<SVGSVGElement | null>;
  file: string;
}) {
  const { scene, width, picture, file } = props;
  const { select } = useSelection();
  return (
    <svg ref={picture} className="log-strip" width={width} height={STRIP_H} aria-hidden="true">
      {scene.parts.map((part) => (
        <a
          key={part.offset}
          href={`#${file}/${part.path}`}
          tabIndex={-1}
          onClick={(event) => {
            event.preventDefault();
            if (part.path !== '') select(`${file}/${part.path}`);
          }}
        >
          <title>{`${part.name}: ${part.what}`}</title>
          <rect
            className={part.safety}
            x={part.x + 1}
            y={22}
            width={Math.max(part.width - 1, 1)}
            height={30}
          />
        </a>
      ))}
      {scene.boundaries.map(({ x, text }, index) => (
        <g key={text} className="boundary">
          <path d={`M${x + 1} ${index === 0 ? 16 : 22}V${index === 0 ? 52 : 58}`} />
          <text x={x + 1} y={index === 0 ? 12 : 72} textAnchor={x > width / 2 ? 'end' : 'start'}>
            {text}
          </text>
        </g>
      ))}
    </svg>
  );
}

function LogTable(props: { scene: LogScene; file: string; skipped: number }) {
  const { scene, file, skipped } = props;
  return (
    <DataTable
      caption={`Records, newest first${skipped > 0 ? `; ${count(skipped)} older ones are under Bytes` : ''}`}
      rows={scene.parts.toReversed()}
      columns={[
        ['offset', ({ offset }) => count(offset)],
        ['what', (part) => <Record part={part} file={file} />, 'head'],
        ['length', ({ bytes }) => `${count(bytes)} B`],
        ['is', ({ safety }) => WORDS[safety]],
      ]}
    />
  );
}

function Record({ part, file }: { part: LogScene['parts'][number]; file: string }) {
  const { path, name, what } = part;
  return (
    <>
      {path === '' ? name : <Pick to={`${file}/${path}`}>{name}</Pick>}{' '}
      <span className="dim">{what}</span>
    </>
  );
}
