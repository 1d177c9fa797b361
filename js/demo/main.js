// A to-do list on a database in this browser, with the engine at work beside it.

import { Levelscope } from 'levelscope';
import 'levelscope/view';
import { figures, textOf } from './words.js';

const SHOWN_MAX = 60;
const MANY = 500;
const TICKED = 100;
/** To-dos of one batch, so that the eye can follow. */
const STEP = 10;
const STEP_MS = 16;

const element = (id) => document.getElementById(id);
const [count, problem, list, more] = ['count', 'problem', 'todos', 'more'].map(element);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Small numbers: a few hundred to-dos fill memtables and start compactions.
const db = new Levelscope('todos', {
  valueEncoding: 'json',
  inspect: true,
  fallback: 'memory',
  writeBufferSize: 8 << 10,
  blockSize: 1 << 10,
  maxFileSize: 8 << 10,
  engine: { level_count: 5, level_base_bytes: 24 << 10, level_multiplier: 4 },
});
const view = element('view');
view.database = db;

let next = 1;
let [all, done] = [0, 0];

const keyOf = (number) => `todo${String(number).padStart(5, '0')}`;

/** One more to-do, as an operation of a batch. */
function put(text) {
  const key = keyOf(next);
  next += 1;
  all += 1;
  return { type: 'put', key, value: { text, done: false } };
}

function remove([key, todo]) {
  all -= 1;
  if (todo.done) done -= 1;
  return { type: 'del', key };
}

function tick([key, todo], isDone) {
  done += Number(isDone) - Number(todo.done);
  return { type: 'put', key, value: { ...todo, done: isDone } };
}

/** Makes operations of `items` and writes them, a few at a time; the list follows. */
async function write(items, operationOf) {
  for (let at = 0; at < items.length; at += STEP) {
    await db.batch(items.slice(at, at + STEP).map(operationOf));
    await show();
    if (at + STEP < items.length) await pause(STEP_MS);
  }
}

/** Makes one line of the list. Text is only ever text. */
function line([key, todo]) {
  const item = document.createElement('li');
  const label = document.createElement('label');
  const box = Object.assign(document.createElement('input'), {
    type: 'checkbox',
    checked: todo.done,
  });
  const text = Object.assign(document.createElement('span'), { textContent: todo.text });
  text.classList.toggle('done', todo.done);
  label.append(box, text);
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    textContent: '×',
  });
  button.setAttribute('aria-label', `Delete “${todo.text}”`);
  box.addEventListener('change', () =>
    write([[key, todo]], (entry) => tick(entry, box.checked)).catch(showError),
  );
  button.addEventListener('click', () => write([[key, todo]], remove).catch(showError));
  item.append(label, button);
  item.dataset.key = key;
  return item;
}

/** What the list shows, to find out what has changed. */
const shown = new Map();

async function show() {
  const entries = await db.iterator({ reverse: true, limit: SHOWN_MAX }).all();
  const items = entries.map(([key, todo]) => {
    const text = JSON.stringify(todo);
    const known = shown.get(key);
    if (known?.text === text) return known;
    return { key, text, item: line([key, todo]) };
  });
  // An unchanged line stays where it is, and keeps the focus.
  for (const [index, { item }] of items.entries()) {
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
  }
  while (list.children.length > items.length) list.lastChild.remove();
  shown.clear();
  for (const item of items) shown.set(item.key, item);
  count.textContent =
    all === 0
      ? 'Nothing to do'
      : `${(all - done).toLocaleString('en')} to do, ${done.toLocaleString('en')} done`;
  const older = all - entries.length;
  more.textContent = older > 0 ? `and ${older.toLocaleString('en')} older ones` : '';
}

async function filtered(wanted, most) {
  const found = [];
  for await (const entry of db.iterator()) {
    if (wanted(entry)) found.push(entry);
    if (found.length === most) break;
  }
  return found;
}

/** While a button's work goes on, the others wait. */
function onClick(id, work) {
  element(id).addEventListener('click', async () => {
    const buttons = document.querySelectorAll('.tools button');
    for (const button of buttons) button.disabled = true;
    try {
      await work();
    } catch (error) {
      showError(error);
    } finally {
      for (const button of buttons) button.disabled = false;
    }
  });
}

function showError(error) {
  const reason = error.cause ?? error;
  problem.textContent =
    reason.code === 'LEVEL_LOCKED'
      ? 'Another tab has this list open. Close that tab, then reload.'
      : reason.message;
  problem.hidden = false;
}

element('add').addEventListener('submit', (event) => {
  event.preventDefault();
  const field = element('text');
  const text = field.value.trim();
  if (text === '') return;
  field.value = '';
  write([text], put).catch(showError);
});
onClick('many', () => write(Array.from({ length: MANY }), () => put(textOf(next))));
onClick('tick', async () => {
  const open = await filtered(([, todo]) => !todo.done, 2000);
  const stride = Math.max(Math.floor(open.length / TICKED), 1);
  const chosen = open.filter((_, index) => index % stride === 0).slice(0, TICKED);
  await write(chosen, (entry) => tick(entry, true));
});
onClick('clear', async () => write(await filtered(([, todo]) => todo.done, 2000), remove));

const dark = element('theme');
function paint(isDark) {
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  view.theme = isDark ? 'dark' : 'light';
  dark.setAttribute('aria-pressed', String(isDark));
}
const system = matchMedia('(prefers-color-scheme: dark)');
system.addEventListener('change', () => paint(system.matches));
dark.addEventListener('click', () => paint(dark.getAttribute('aria-pressed') === 'false'));
paint(system.matches);

try {
  await db.open();
  for await (const [key, todo] of db.iterator()) {
    all += 1;
    if (todo.done) done += 1;
    next = Number(key.slice(4)) + 1;
  }
  if (all === 0) await db.batch(['Buy milk', 'Call Ada', 'Read about LSM trees'].map(put));
  await show();
  if (db.inMemory)
    showError(
      new Error('This browser denies storage here: the list is gone when the page is closed.'),
    );
  await figures(db, element('figures'));
} catch (error) {
  showError(error);
  count.textContent = '';
}
