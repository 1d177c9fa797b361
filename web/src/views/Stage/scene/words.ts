import { counted } from '../../../model/words';
import type { Scene } from './stage';

/** Tables of a level that are listed one by one. */
const TABLES_MAX = 40;

/** The picture in words: a sentence for each row. */
export function sceneWords(scene: Scene): string {
  const { transactions, memory, manifest, levels } = scene;
  const rows = [
    ['Open transactions', transactions.shapes.map(({ label }) => label)],
    ['Memory', memory.memtables.map(({ label }) => label)],
    ['Logs', memory.wals.map(({ label }) => label)],
    ['Manifest', manifest ? [manifest.current.label, manifest.manifest.label] : []],
    ...levels.map((row) => [row.label, tablesOf(row.tables)] as const),
  ] as const;
  const shown = rows.filter(([name, parts]) => parts.length > 0 || /^L\d|level/i.test(name));
  const sentence = ([name, parts]: (typeof shown)[number]) =>
    parts.length === 0 ? `${name}.` : `${name}: ${parts.join('; ')}.`;
  return shown.map(sentence).join('\n');
}

function tablesOf(tables: Scene['levels'][number]['tables']): string[] {
  const labels = tables.slice(0, TABLES_MAX).map((table) => table.label());
  const more = tables.length - labels.length;
  return more > 0 ? [...labels, `${counted(more, 'more table')}`] : labels;
}
