import { counted, size } from '../../../model/words';
import type { Box, Rows, Span } from '../../Stage/scene/geometry';
import type { StageItem } from '../../Stage/scene/levels';
import { fitting, textWidth } from '../../Stage/scene/text';
import type { BlobLine, Levels, LogLine } from './answers';
import { percent } from './words';

/** A log or a blob file: no range of keys, so apart from the key axis. */
export interface FileShape extends StageItem {
  /** In it, as far as they fit. */
  text: string;
  label: string;
  className: string;
  /** The part of it that is garbage. */
  garbage: number;
}

/** Logs above the levels, or blob files below the axis. */
export interface FileRow extends Span {
  className: string;
  title: string;
  /** Beside its name. */
  caption: string;
  files: FileShape[];
  /** In place of files. */
  none: string;
}

export interface FilesInput {
  answer: Levels;
  /** The directory has more than this step: its logs are of the last one. */
  isPast: boolean;
  hasFamilies: boolean;
}

/** At the right end of a row of files. */
export const OFF_AXIS = 'no key range';

/** The rows of files that a picture has room for. */
export function fileRows({ answer, isPast, hasFamilies }: FilesInput, rows: Rows): FileRow[] {
  const { logs, blobFiles } = answer;
  const { wal, blobs } = rows;
  const none = isPast
    ? 'the manifest does not record which entries the logs held at this step'
    : `no log counts${hasFamilies ? ' for this family' : ''}`;
  const logRow: FileRow = {
    ...{ className: 'wal', title: 'Logs', caption: '', y: wal.y, h: wal.h },
    none: logs.length === 0 ? none : '',
    files: sideBySide(
      logs.map((log) => ({ ...logWords(log, hasFamilies), weight: log.entries })),
      wal,
      rows,
    ),
  };
  const shownLogs = wal.h === 0 ? [] : [logRow];
  if (!blobs) return shownLogs;
  const blobRow: FileRow = {
    ...{ className: 'blobs', title: 'Blob files', none: '', ...blobs },
    caption: size(blobFiles.reduce((sum, { bytes }) => sum + bytes, 0)),
    files: sideBySide(
      blobFiles.map((blob) => ({ ...blobWords(blob, isPast), weight: blob.bytes })),
      blobs,
      rows,
    ),
  };
  return [...shownLogs, blobRow];
}

type FileWords = Omit<FileShape, 'box' | 'text'> & { words: string[] };

function logWords({ file, entries, bytes, end }: LogLine, hasFamilies: boolean): FileWords {
  const isIdle = entries === 0;
  const held = isIdle
    ? `nothing${hasFamilies ? ' of this family' : ''} to recover`
    : counted(entries, 'entry');
  const whole = `${file} · ${held} · ${size(bytes)}`;
  return {
    id: `@${file}`,
    words: [whole, `${file} · ${held}`, ...(isIdle ? [`${file} · nothing to recover`] : []), file],
    label: `${whole}, it ${end}`,
    className: isIdle ? 'lens-log is-idle' : 'lens-log',
    garbage: 0,
  };
}

function blobWords(blob: BlobLine, isPast: boolean): FileWords {
  const { number, file, bytes, garbageBytes, totalBytes, isMissing } = blob;
  const garbage = totalBytes === 0 ? 0 : garbageBytes / totalBytes;
  const share = `${percent(garbage)} garbage`;
  const whole = `${number} · ${size(bytes)} · ${share}`;
  const isDeleted = isMissing && isPast;
  return {
    id: `@${file}`,
    words: [whole, `${number} · ${share}`, String(number)],
    label: `blob file ${whole}${isDeleted ? ', deleted since' : ''}`,
    className: `lens-blob${isDeleted ? ' is-deleted' : ''}`,
    garbage,
  };
}

const GAP = 4;

/** Files side by side, each as wide as its part of the whole, but wide enough for its name. */
function sideBySide(
  files: readonly (FileWords & { weight: number })[],
  { y, h }: Span,
  { left, right, unit }: Rows,
): FileShape[] {
  const room = right - left - textWidth(OFF_AXIS, unit) - unit * 1.5;
  const least = Math.min(unit * 11, room / Math.max(files.length, 1) - GAP);
  // One log of a few entries should not fill the row: it would look like a whole range of keys.
  const most = unit * 24 * files.length;
  const free = Math.max(Math.min(room, most) - files.length * (least + GAP), 0);
  const all = files.reduce((sum, { weight }) => sum + weight, 0);
  let x = left;
  return files.map(({ words, weight, ...file }) => {
    // Empty files share the room equally, so that their words fit.
    const part = all === 0 ? 1 / files.length : weight / all;
    const box: Box = { x, y, w: Math.max(least + free * part, 2), h };
    x += box.w + GAP;
    return { ...file, box, text: h < unit ? '' : fitting(words, box.w - unit, unit) };
  });
}
