import { Marked, type Marks } from '../Stage/Marked';
import { Rect } from '../Stage/Rect';
import type { Rows } from '../Stage/scene/geometry';
import { boldWidth } from '../Stage/scene/text';
import { type FileRow, type FileShape, OFF_AXIS } from './scene/files';

interface Props {
  row: FileRow;
  rows: Rows;
  marks: Marks;
}

/** A row of files apart from the key axis. */
export function FileRowView({ row, rows, marks }: Props) {
  const { unit, left, right } = rows;
  const middle = row.y + row.h / 2 + unit * 0.36;
  return (
    <g className={row.className}>
      <text className="row-label" x={unit} y={middle}>
        {row.title}
      </text>
      <text className="dim" x={unit * 1.5 + boldWidth(row.title, unit)} y={middle}>
        {row.caption}
      </text>
      {row.none ? (
        <text className="note dim" x={left} y={middle}>
          {row.none}
        </text>
      ) : (
        <text className="dim" x={right} y={middle} textAnchor="end">
          {OFF_AXIS}
        </text>
      )}
      {row.files.map((file) => (
        <FileBox key={file.id} file={file} marks={marks} />
      ))}
    </g>
  );
}

function FileBox({ file, marks }: { file: FileShape; marks: Marks }) {
  const { id, box, label, className, garbage, text } = file;
  const { x, y, w, h } = box;
  return (
    <Marked {...{ id, box, label, marks, className }}>
      <Rect className="paper" box={box} r={5} />
      {garbage > 0 && (
        <Rect className="lens-garbage" box={{ x: x + w * (1 - garbage), y, w: w * garbage, h }} />
      )}
      <Rect className="edge" box={box} r={5} />
      <text x={x + marks.unit * 0.5} y={y + h / 2 + marks.unit * 0.36}>
        {text}
      </text>
    </Marked>
  );
}
