import { openedOf, parseSelection } from './selection';
import { joined } from './words';

/** The windows that stand in front of the page. */
const WINDOWS = ['open', 'options', 'help', 'reset', 'break', 'crash', 'lessons'] as const;
export type WindowName = (typeof WINDOWS)[number];

/** The state on show; the address holds all of it except the window. */
export interface Address {
  selection: string | null;
  /** What the picture shows from inside, that of the directory if one is on show; `null`: the whole tree. */
  opened: string | null;
  /** Whether the bytes of files are on show, instead of the picture: those of the directory if one is on show. */
  inspecting: boolean;
  /** The experiment on show, instead of the picture; empty: whichever comes first. */
  experiment: string | null;
  /** The directory on show, instead of everything: a sample, or an own one by its name and bytes; empty: one is to be chosen; `null`: none is. */
  directory: string | null;
  /** The window in front of the page. */
  window: WindowName | null;
}

/** The picture alone. */
export const PICTURE: Address = {
  selection: null,
  opened: null,
  inspecting: false,
  experiment: null,
  directory: null,
  window: null,
};

/** Before the selection while the bytes are on show. */
const BYTES = 'bytes/';
/** Before what is opened in the picture. */
const INSIDE = 'inside/';
/** Before the name of an experiment. */
const EXPERIMENTS = 'experiments';
/** Before the name of a directory, while one is on show. */
const DIRECTORY = 'directory';

/** The part of the address after `#`: `table:12/block:2`, `bytes/wal:7`, `inside/table:12`, `experiments/L4`, `directory/pebble/inside/table:12`, `directory/mydb~5120/bytes`. */
export const fragmentOf = (address: Address): string => joined(partsOf(address), '/');

function partsOf({ selection, opened, inspecting, experiment, directory }: Address) {
  const view = inspecting ? 'bytes' : opened && `${INSIDE}${opened}`;
  if (directory !== null) return [DIRECTORY, encodeURIComponent(directory), view];
  if (experiment !== null) return [EXPERIMENTS, experiment];
  return [view, inspecting || opened === null ? selection : null];
}

/** Parses such a part; an invalid selection selects nothing. */
export function parseFragment(fragment: string): Address {
  const [place, id = '', ...rest] = fragment.split('/').map(decoded);
  if (place === EXPERIMENTS) return { ...PICTURE, experiment: id };
  const text = decoded(fragment);
  if (place === DIRECTORY) {
    const way = rest.join('/');
    const inside = way.startsWith(INSIDE) ? way.slice(INSIDE.length) : null;
    return { ...PICTURE, directory: id, inspecting: way === 'bytes', opened: openedOf(inside) };
  }
  const inspecting = text === 'bytes' || text.startsWith(BYTES);
  const before = [BYTES, INSIDE].find((words) => text.startsWith(words)) ?? '';
  const wanted = text.slice(before.length);
  const opened = before === INSIDE ? openedOf(wanted) : null;
  return { ...PICTURE, inspecting, opened, selection: parseSelection(wanted) ? wanted : null };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The view that an address leads to. Two views are two entries of the browser's history, two selections are not. */
export const viewOf = (address: Address): string => joined([placeIn(address), address.window], ' ');

function placeIn({ opened, inspecting, experiment, directory }: Address): string {
  if (directory === null && experiment !== null) return EXPERIMENTS;
  const view = inspecting ? 'bytes' : opened?.replace(/[:\d]+/g, '');
  return joined([directory !== null && DIRECTORY, view], '/') || LAB;
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
