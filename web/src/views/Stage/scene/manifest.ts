import type { EditView, View } from '../../../model/engine.generated';
import { fileName } from '../../../model/files';
import { counted, size } from '../../../model/words';
import type { Box, Rows } from './geometry';
import { boldWidth, textWidth } from './text';

/** A piece of the row of the manifest. */
export type ManifestPart = ManifestScene['current'];

/** The manifest in use with its newest edits, and `CURRENT`, which names it. */
export type ManifestScene = NonNullable<ReturnType<typeof manifestScene>>;

/** Places `CURRENT`, the manifest and as many of its newest edits as fit; `null` without room or manifest. */
export function manifestScene(view: View, rows: Rows) {
  const row = rows.manifest;
  if (!row || view.manifest === 0) return null;
  const { unit, left, right } = rows;
  const pad = unit * 0.5;
  const names = view.current === view.manifest;
  const currentText = names || view.current === 0 ? 'CURRENT' : `CURRENT → ${view.current}`;
  const boxed = (x: number, w: number): Box => ({ x, y: row.y, w, h: row.h });
  const current = boxed(left, boldWidth(currentText, unit) + 2 * pad);
  const text = fileName('manifest', view.manifest);
  const name = boxed(current.x + current.w + unit * 2, boldWidth(text, unit) + 2 * pad);
  const shapes = editShapes(view, boxed(name.x + name.w + 4, right - name.x - name.w - 4), unit);
  // A strip has no room for words.
  const isStrip = row.h < unit;
  const edits = isStrip ? shapes.map((shape) => ({ ...shape, text: '' })) : shapes;
  const last = edits.at(-1)?.box ?? name;
  const middle = row.y + row.h / 2;
  return {
    current: {
      id: 'current',
      // The box of the whole manifest, and of its name.
      box: current,
      name: current,
      text: isStrip ? '' : currentText,
      label: `CURRENT, names manifest ${view.current}`,
    },
    manifest: {
      id: `manifest:${view.manifest}`,
      box: { ...name, w: last.x + last.w - name.x },
      name,
      text: isStrip ? '' : text,
      label: manifestText(view),
    },
    edits,
    // From `CURRENT` to the manifest that it names; `null` while it names an older one.
    arrow: names ? `M${current.x + current.w + 3} ${middle}H${name.x - 3}` : null,
    // Of all texts [px].
    baseline: middle + unit * 0.36,
  };
}

function manifestText({ manifest, manifestBytes, manifestEdits, manifestUnsynced }: View): string {
  const newest = manifestEdits.at(-1);
  const edit = newest ? `, newest edit: ${inWords(newest)}` : '';
  const synced =
    manifestUnsynced > 0 ? `${counted(manifestUnsynced, 'edit')} not synced` : 'synced';
  return `manifest ${manifest}, ${size(manifestBytes)}, ${synced}${edit}`;
}

function inWords({ snapshot, added, removed }: EditView): string {
  if (snapshot) return 'all tables';
  const part = (verb: string, tables: readonly number[]) =>
    tables.length > 0 ? [`${verb} ${tables.join(', ')}`] : [];
  return [...part('adds', added), ...part('removes', removed)].join(' and ') || 'no table';
}

/** The newest edits that have room, oldest first. */
function editShapes(view: View, room: Box, unit: number) {
  const out: { box: Box; text: string; synced: boolean }[] = [];
  let used = 0;
  for (const [age, edit] of [...view.manifestEdits].reverse().entries()) {
    const free = room.w - used;
    const fits = (text: string) => textWidth(text, unit) + unit * 0.8 <= free;
    const text = wordings(edit).find(fits);
    if (text === undefined) break;
    const w = textWidth(text, unit) + unit * 0.8;
    out.unshift({ box: { ...room, w }, text, synced: age >= view.manifestUnsynced });
    used += w + 4;
  }
  let x = room.x;
  return out.map((shape) => {
    const box = { ...shape.box, x };
    x += shape.box.w + 4;
    return { ...shape, box };
  });
}

/** `+12`, `−9 −11 +13`, or how many when they are many. */
function wordings({ snapshot, added, removed }: EditView): string[] {
  if (snapshot) return ['all tables'];
  const moved = added.filter((table) => removed.includes(table));
  if (moved.length > 0 && moved.length === added.length) return [`${moved.join(' ')} moves`];
  const part = (sign: string, tables: readonly number[]) => tables.map((table) => sign + table);
  const all = [...part('−', removed), ...part('+', added)];
  if (all.length === 0) return ['counters'];
  const counts = [
    ...(removed.length > 0 ? [`−${counted(removed.length, 'table')}`] : []),
    ...(added.length > 0 ? [`+${counted(added.length, 'table')}`] : []),
  ];
  const few = all.length <= 6 ? [all.join(' ')] : [];
  return [...few, counts.join(' ')];
}
