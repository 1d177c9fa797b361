/**
 * What is selected: one value for picture, inspector, terminal links and address.
 *
 * ```text
 * memtable:3   wal:7   table:12   table:12/block:2   level:1   manifest:5
 * ```
 */
export type SelectionKind = 'memtable' | 'wal' | 'table' | 'level' | 'manifest';

export interface Selection {
  kind: SelectionKind;
  number: number;
  /** A data block of the table, counted from 1. */
  block: number | null;
}

const FORM = /^(memtable|wal|table|level|manifest):(\d{1,15})(?:\/block:(\d{1,9}))?$/;

/** Parses exactly what [`formatSelection`] writes; anything else, whoever made it, is `null`. */
export function parseSelection(text: string): Selection | null {
  const match = FORM.exec(text);
  if (!match) return null;
  const [, kind, number, block] = match;
  if (block !== undefined && kind !== 'table') return null;
  return {
    kind: kind as SelectionKind,
    number: Number(number),
    block: block === undefined ? null : Number(block),
  };
}

/** The selection as text. */
export function formatSelection({ kind, number, block }: Selection): string {
  return block === null ? `${kind}:${number}` : `${kind}:${number}/block:${block}`;
}

/** The object that a selection is in: a block's table. */
export function objectOf(selection: string | null): string | null {
  return selection?.split('/')[0] ?? null;
}

const STEP_FORM = /^step:(\d{1,15})$/;

/** The step that a link of the terminal leads to; `null` when it leads to an object or nowhere. */
export function parseStep(text: string): number | null {
  const match = STEP_FORM.exec(text);
  return match ? Number(match[1]) : null;
}

/** Whether a link of the terminal leads anywhere. */
export function leadsSomewhere(link: string): boolean {
  return parseSelection(link) !== null || parseStep(link) !== null;
}
