import { parseSelection } from './selection';

/** The windows that stand in front of the page. */
export const WINDOWS = ['open', 'options', 'help', 'reset', 'break', 'crash', 'lessons'] as const;
export type WindowName = (typeof WINDOWS)[number];

/** The state on show; the address holds all of it except the window. */
export interface Address {
  selection: string | null;
  inspecting: boolean;
  experiment: string | null;
  window: WindowName | null;
}

/** Before the selection while the bytes are on show. */
const BYTES = 'bytes/';
/** Before the name of an experiment. */
const EXPERIMENTS = 'experiments';

/** The part of the address after `#`: `table:12/block:2`, `bytes/wal:7`, `experiments/L4`. */
export function fragmentOf({ selection, inspecting, experiment }: Address): string {
  const shown = [inspecting ? 'bytes' : null, selection];
  const parts = experiment === null ? shown : [EXPERIMENTS, experiment];
  return parts.filter((word) => word !== null && word !== '').join('/');
}

/** Parses such a part; an invalid selection selects nothing. */
export function parseFragment(fragment: string): Address {
  const text = decoded(fragment);
  const [place, id = ''] = text.split('/', 2);
  const nothing = { selection: null, inspecting: false, experiment: null, window: null };
  if (place === EXPERIMENTS) return { ...nothing, experiment: id };
  const inspecting = text === 'bytes' || text.startsWith(BYTES);
  const wanted = text.startsWith(BYTES) ? text.slice(BYTES.length) : text;
  return { ...nothing, inspecting, selection: parseSelection(wanted) ? wanted : null };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The view that an address leads to. Two views are two entries of the browser's history, two selections are not. */
export function viewOf({ inspecting, experiment, window }: Address): string {
  const place = experiment !== null ? EXPERIMENTS : inspecting ? 'bytes' : LAB;
  return window === null ? place : `${place} ${window}`;
}

/** The window of a view. */
export function windowOf(view: string): WindowName | null {
  const [, name] = view.split(' ', 2);
  return WINDOWS.find((known) => known === name) ?? null;
}

/** The view that everything begins with: the picture, without a window. */
export const LAB = 'lab';

/** Whether a fragment is a link: to a lesson, or with commands. */
export function isLink(fragment: string): boolean {
  return /^v\d+\//i.test(fragment);
}
