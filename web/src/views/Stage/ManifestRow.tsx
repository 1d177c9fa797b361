import type { ReactNode } from 'react';
import { TERMS } from '../../model/terms.generated';
import { Marked, type Marks } from './Marked';
import { Rect } from './Rect';
import type { Rows } from './scene/geometry';
import type { ManifestPart, ManifestScene } from './scene/manifest';

interface Props {
  scene: ManifestScene | null;
  rows: Rows;
  marks: Marks;
}

/** `CURRENT` and the manifest that it names, whose edits add and remove tables. */
export function ManifestRow({ scene, rows, marks }: Props) {
  if (!scene) return null;
  const { unit } = rows;
  const { baseline } = scene;
  return (
    <>
      <g data-moving="manifest-row">
        <text className="row-label" x={unit} y={baseline}>
          <title>{TERMS.manifest}</title>
          Manifest
        </text>
        {scene.arrow && <path className="names" d={scene.arrow} markerEnd="url(#names)" />}
      </g>
      <Part part={scene.current} baseline={baseline} unit={unit} marks={marks} />
      <Part part={scene.manifest} baseline={baseline} unit={unit} marks={marks}>
        {scene.edits.map(({ box, text, synced }) => (
          <g key={box.x} className={synced ? 'edit' : 'edit unsynced'}>
            <Rect className="edit-body" box={box} r={3} />
            <text x={box.x + box.w / 2} y={baseline} textAnchor="middle">
              {text}
            </text>
          </g>
        ))}
      </Part>
    </>
  );
}

interface PartProps {
  part: ManifestPart;
  baseline: number;
  unit: number;
  marks: Marks;
  children?: ReactNode;
}

function Part({ part, baseline, unit, marks, children }: PartProps) {
  const { id, box, name, text, label } = part;
  return (
    <Marked id={id} box={box} label={label} marks={marks} className="manifest">
      <Rect className="paper" box={name} r={4} />
      <Rect className="edge" box={name} r={4} />
      <text className="strong" x={name.x + unit * 0.5} y={baseline}>
        {text}
      </text>
      {children}
    </Marked>
  );
}
