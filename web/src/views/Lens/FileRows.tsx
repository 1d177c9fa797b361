import { counted, size } from '../../model/words';
import type { Box, Span } from '../Stage/scene/geometry';
import { fitting, textWidth } from '../Stage/scene/text';
import { Alert } from './Alert';
import { useFamilies } from './families';
import { type LensMarks, pickable } from './marks';
import type { BlobLine, LogLine } from './scene/answers';
import type { Places } from './scene/geometry';
import { percent } from './scene/words';

interface LogProps {
  logs: readonly LogLine[];
  places: Places;
  marks: LensMarks;
}

/** Label of a strip apart from the key axis. */
const OFF_AXIS = 'no key range';
/** Kept free within a strip, above and below its files [px]. */
const PAD = 4;

/** Where the files of a strip may be [px]: beside them stand their words. */
function roomOf({ left, right, unit }: Places): { from: number; to: number } {
  return { from: left, to: right - textWidth(OFF_AXIS, unit * 0.87) - unit * 1.5 };
}

/** A strip apart from the key axis. */
function Strip({ span, places }: { span: Span; places: Places }) {
  const { unit, right, width } = places;
  return (
    <>
      <rect className="lens-off-axis" x={-1} y={span.y} width={width + 2} height={span.h} />
      <text
        className="dim lens-aside"
        x={right}
        y={span.y + span.h / 2 + unit * 0.3}
        textAnchor="end"
      >
        {OFF_AXIS}
      </text>
    </>
  );
}

/** Files side by side, each as wide as its part of the bytes, but wide enough for its name. */
function sideBySide(bytes: readonly number[], span: Span, places: Places): Box[] {
  const gap = 4;
  const { from, to } = roomOf(places);
  const least = Math.min(places.unit * 11, (to - from) / Math.max(bytes.length, 1) - gap);
  // One log of a few entries should not fill the strip: it would look like a whole range of keys.
  const most = places.unit * 24 * bytes.length;
  const free = Math.max(Math.min(to - from, most) - bytes.length * (least + gap), 0);
  const all = bytes.reduce((sum, each) => sum + each, 0);
  let x = from;
  return bytes.map((each) => {
    // Empty files share the room equally, so that their words fit.
    const part = all === 0 ? 1 / bytes.length : each / all;
    const w = Math.max(least + free * part, 2);
    const box = { x, y: span.y + PAD, w, h: span.h - 2 * PAD };
    x += w + gap;
    return box;
  });
}

/** The logs of the family: the newest entries, as a level above L0. */
export function LogRow({ logs, places, marks }: LogProps) {
  const { unit, left, logs: span } = places;
  const middle = span.y + span.h / 2 + unit * 0.36;
  const boxes = sideBySide(
    logs.map(({ entries }) => entries),
    span,
    places,
  );
  const hasFamilies = useFamilies();
  const none = marks.isPast
    ? 'the manifest does not record which entries the logs held at this step'
    : `no log counts${hasFamilies ? ' for this family' : ''}`;
  return (
    <g className="wal">
      <Strip span={span} places={places} />
      <text className="row-label" x={unit} y={middle}>
        Logs
      </text>
      {logs.length === 0 && (
        <text className="note dim" x={left} y={middle}>
          {none}
        </text>
      )}
      {logs.map((log, index) => {
        const of = hasFamilies && log.entries === 0 ? ' of this family' : '';
        const entries = log.entries === 0 ? `no entry${of}` : counted(log.entries, 'entry');
        const words = [
          `${log.file} · ${entries} · ${size(log.bytes)}`,
          `${log.file} · ${entries}`,
          ...(log.entries === 0 ? [`${log.file} · none`] : []),
          log.file,
        ];
        return (
          <FileBox
            key={log.file}
            id={`log:${log.file}`}
            box={boxes[index]}
            words={words}
            label={`${words[0]}, it ${log.end}${log.isDamaged ? ', its file is damaged' : ''}`}
            className={`${log.entries === 0 ? 'lens-idle' : 'lens-log'}${log.isDamaged ? ' is-damaged' : ''}`}
            alert={log.isDamaged}
            marks={marks}
          />
        );
      })}
    </g>
  );
}

interface BlobProps {
  blobs: readonly BlobLine[];
  span: Span;
  places: Places;
  marks: LensMarks;
}

/** The blob files of the family; garbage is hatched. */
export function BlobRow({ blobs, span, places, marks }: BlobProps) {
  const { isPast } = marks;
  const { unit, line } = places;
  const boxes = sideBySide(
    blobs.map(({ bytes }) => bytes),
    span,
    places,
  );
  const all = blobs.reduce((sum, { bytes }) => sum + bytes, 0);
  const y = span.y + span.h / 2 - line / 2 + unit * 0.36;
  return (
    <g className="lens-blobs">
      <Strip span={span} places={places} />
      <text className="row-label" x={unit} y={y}>
        Blob files
      </text>
      <text className="dim" x={unit} y={y + line}>
        {size(all)}
      </text>
      {blobs.map((blob, index) => {
        const share = blob.totalBytes === 0 ? 0 : blob.garbageBytes / blob.totalBytes;
        const garbage = `${percent(share)} garbage`;
        const isLost = blob.isMissing && !isPast;
        const state = blob.isMissing ? (isPast ? ' is-deleted' : ' is-missing') : '';
        const words = [
          ...(isLost ? [`${blob.number} · missing · ${size(blob.bytes)} · ${garbage}`] : []),
          `${blob.number} · ${size(blob.bytes)} · ${garbage}`,
          `${blob.number} · ${garbage}`,
          String(blob.number),
        ];
        return (
          <FileBox
            key={blob.number}
            id={`blob:${blob.number}`}
            box={boxes[index]}
            words={words}
            label={`blob file ${words[0]}${blobStateWords(blob, isPast)}`}
            className={`lens-blob${state}${blob.isDamaged ? ' is-damaged' : ''}`}
            alert={isLost || blob.isDamaged}
            share={share}
            marks={marks}
          />
        );
      })}
    </g>
  );
}

function blobStateWords({ isMissing, isDamaged }: BlobLine, isPast: boolean): string {
  const missing = isPast ? ', deleted since' : ', its file is missing';
  return `${isMissing ? missing : ''}${isDamaged ? ', its file is damaged' : ''}`;
}

interface FileBoxProps {
  id: string;
  box: Box | undefined;
  words: readonly string[];
  label: string;
  className: string;
  /** Part of it that is hatched. */
  share?: number;
  /** Whether it is marked as damaged or missing. */
  alert: boolean;
  marks: LensMarks;
}

function FileBox(props: FileBoxProps) {
  const { id, box, words, label, className, share = 0, alert, marks } = props;
  if (!box) return null;
  const { x, y, w, h } = box;
  const isSelected = marks.selected === id;
  return (
    <g {...pickable(id, marks, className, label)}>
      {isSelected && (
        <rect className="pick-outer" x={x - 3} y={y - 3} width={w + 6} height={h + 6} rx={8} />
      )}
      <rect className="paper" x={x} y={y} width={w} height={h} rx={5} />
      {share > 0 && (
        <rect className="lens-garbage" x={x + w * (1 - share)} y={y} width={w * share} height={h} />
      )}
      <rect className="edge" x={x} y={y} width={w} height={h} rx={5} />
      <text x={x + marks.unit * 0.5} y={y + h / 2 + marks.unit * 0.36}>
        {fitting(words, w - marks.unit, marks.unit)}
      </text>
      {alert && <Alert x={x + w - Math.min(w / 2, 9)} y={y - 4} />}
    </g>
  );
}
