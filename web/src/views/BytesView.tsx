import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { readFiles, readHex, readPart, readRibbon, readVerbs } from '../model/answers';
import { findQuestion, hexQuestion, partQuestion, ribbonQuestion, type Space } from '../model/ask';
import { hexByte, type Leaf, letter, needleWord } from '../model/bytes';
import type { Node, Step } from '../model/engine.generated';
import { fileOfSelection, type KnownFile, knownFiles, openedFiles } from '../model/files';
import { readOpened } from '../model/opened';
import { parseSelection, type Selection } from '../model/selection';
import type { Page } from '../model/shown';
import { count, counted, hex, size } from '../model/words';
import type { Ask } from './ask';
import { ByteTools } from './ByteTools';
import { copied, DataInspector, type Pin } from './DataInspector';
import { EntriesTable } from './EntriesTable';
import { saveRibbon } from './exportRibbon';
import { FileStrip, FileTable } from './FileList';
import { HexGrid, type Span } from './HexGrid';
import { LookupView } from './LookupView';
import { NodeTree } from './NodeTree';
import { type Look, OpenedHead } from './OpenedHead';
import { PartsTable } from './PartsTable';
import { PICTURE_FORMATS } from './pictureFile';
import { Ribbon } from './Ribbon';
import { useAnswer } from './useAnswer';
import { type Chunks, useChunks } from './useChunks';
import { pathOfTrail, useTree } from './useTree';

interface Props {
  page: Pick<Page, 'view' | 'selection'>;
  /** Changes when the answers of the engine may. */
  moment: string;
  ask: Ask;
  /** Whether the bytes are shown as a table of fields. */
  asTable: boolean;
  onSelect(selection: string | null): void;
  onType(command: string): void;
  /** Asks for files to open. */
  onOpen(): void;
  onClose(): void;
}

/** Most bytes that are copied at once. */
const COPY_MAX = 1 << 20;
const NO_FILES: readonly KnownFile[] = [];

/** Every byte of every file: ribbon, tree, hex and data inspector of one selection. */
export function BytesView(props: Props) {
  const { page, moment, ask, asTable, onSelect, onType, onOpen, onClose } = props;
  const { view } = page;
  const selection = useMemo(
    () => (page.selection === null ? null : parseSelection(page.selection)),
    [page.selection],
  );
  const listed = useAnswer(ask, 'files', moment, readFiles);
  const verbs = useAnswer(ask, 'help', '', readVerbs);
  const opened = useAnswer(ask, 'opened', moment, readOpened);
  const files = useMemo(() => {
    const own = listed.state === 'ready' ? knownFiles(listed.result, view) : NO_FILES;
    return opened.state === 'ready' ? [...own, ...openedFiles(opened.result)] : own;
  }, [listed, opened, view]);
  const id = fileOfSelection(selection, view);
  const file = files.find((known) => known.id === id) ?? null;
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };
  const canCorrupt = verbs.state === 'ready' && verbs.result.includes('corrupt');
  return (
    <section className="bytes-view" aria-label="Bytes of files" onKeyDown={close}>
      <div className="bytes-head">
        <button
          type="button"
          className="quiet back"
          onClick={onClose}
          title="Back to the picture (Esc)"
        >
          <span aria-hidden="true">←</span> Lab
        </button>
        <FileStrip files={files} selected={id} onPick={onSelect} />
        <button type="button" className="command" onClick={onOpen}>
          Open more …
        </button>
      </div>
      {id === null ? (
        <FileTable files={files} onPick={onSelect} onType={onType} />
      ) : (
        <FileBytes
          key={id}
          id={id}
          file={file}
          selection={selection}
          // Opened files do not change with the database.
          moment={file?.opened ? `${file.bytes} ${file.role}` : moment}
          ask={ask}
          asTable={asTable}
          isGone={listed.state === 'ready' && opened.state === 'ready' && file === null}
          canCorrupt={canCorrupt}
          onSelect={onSelect}
          onType={onType}
        />
      )}
      {id === null && listed.state === 'failed' && <p className="problem">{listed.message}</p>}
    </section>
  );
}

interface FileProps {
  id: string;
  file: KnownFile | null;
  selection: Selection | null;
  moment: string;
  ask: Ask;
  asTable: boolean;
  /** Whether the database has no such file at the moment shown. */
  isGone: boolean;
  canCorrupt: boolean;
  onSelect(selection: string | null): void;
  onType(command: string): void;
}

function FileBytes(props: FileProps) {
  const { id, file, isGone, selection, moment, ask, asTable, onSelect } = props;
  const host = useRef<HTMLDivElement>(null);
  const goTo = useRef<HTMLInputElement>(null);
  const find = useRef<HTMLInputElement>(null);
  const [hover, setHover] = useState<{ path: string | null; node: Node } | null>(null);
  const [seen, setSeen] = useState<Span>({ from: 0, end: 1 });
  const [found, setFound] = useState('');
  const [look, setLook] = useState<Look>('Bytes');
  const [wanted, setWanted] = useState<{ key: string; search: string } | null>(null);

  const trail = useTrail(ask, id, selection?.path ?? '', moment);
  const inside = insideOf(trail, selection);
  const space: Space = useMemo(() => ({ file: id, inside }), [id, inside]);
  const chunks = useChunks(ask, space, moment, seen.from, seen.end);
  const pin = useMemo(() => pinOf(trail, selection), [trail, selection]);
  const [cursor, setCursor] = useCursor(pin, chunks.total ?? 0);
  const tree = useTree(ask, id, moment, trail);
  const ribbon = useAnswer(ask, ribbonQuestion(id), moment, readRibbon);

  const pinPath = useCallback((path: string) => onSelect(`${id}/${path}`), [id, onSelect]);
  const pinRange = useCallback(
    (from: number, to: number) =>
      onSelect(
        inside === null ? `${id}/bytes:${from}-${to}` : `${id}/${inside}/decoded:${from}-${to}`,
      ),
    [id, inside, onSelect],
  );
  const pinByte = (offset: number) => {
    const leaf = chunks.leaf(offset);
    if (leaf) pinPath(leaf.path);
  };
  const hoverLeaf = useCallback(
    (leaf: Leaf | null) =>
      setHover((old) =>
        leaf && old?.path === leaf.path ? old : leaf && { path: leaf.path, node: leaf.node },
      ),
    [],
  );
  const hoverNode = useCallback(
    (path: string | null, node: Node | null, decoded: boolean) =>
      // What lies in decoded content has no place in the bytes of the file, and the other way round.
      setHover(node && path !== null && decoded === (inside !== null) ? { path, node } : null),
    [inside],
  );
  const onView = useCallback(
    (from: number, end: number) =>
      setSeen((old) => (old.from === from && old.end === end ? old : { from, end })),
    [],
  );
  const go = (offset: number) => {
    const at = Math.min(offset, Math.max((chunks.total ?? 1) - 1, 0));
    setCursor(at);
    pinRange(at, at);
  };
  const search = async (text: string) => {
    const word = needleWord(text);
    if (!word) return;
    const from = pin && pin.path === null && found !== '' ? pin.span.from + 1 : cursor;
    const at = (await findFrom(ask, space, from, word)) ?? (await findFrom(ask, space, 0, word));
    if (at === null) {
      setFound('not in this file');
      return;
    }
    setFound(`at ${hex(at)}`);
    pinRange(at, at + (word.length - 2) / 4 - 1);
  };
  const copy = async (what: 'hex' | 'rust') => {
    if (!pin) return;
    const length = Math.min(pin.span.end - pin.span.from, COPY_MAX);
    const answer = readHex((await ask(hexQuestion(space, pin.span.from, length))).result);
    if (!answer) return;
    await navigator.clipboard.writeText(copied(what, answer.bytes));
    setFound(`${counted(answer.bytes.length, 'byte')} copied`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof HTMLInputElement) return;
    const field = { g: goTo, f: find }[event.key]?.current;
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
  };
  const focusBytes = () => host.current?.querySelector<HTMLElement>('[role=grid]')?.focus();
  const level = file?.level ?? 0;
  const hovered = hover && { from: hover.node.offset, end: hover.node.offset + hover.node.bytes };
  const stretches = ribbon.state === 'ready' ? ribbon.result.stretches : [];
  const total = ribbon.state === 'ready' ? ribbon.result.fileBytes : (file?.bytes ?? 0);
  const toFile = (span: Span | null) =>
    span && inside === null ? { from: span.from, to: span.end } : null;
  const failure = chunks.failure ?? tree.failure;
  const opened = file?.opened ?? null;
  const showBytes = (selected: string | null) => {
    setLook('Bytes');
    onSelect(selected);
  };
  const lookUp = (key: string) => {
    setWanted({ key, search: wanted?.search ?? opened?.format?.searches[0] ?? 'sequential' });
    setLook('Look up');
  };
  return (
    <section
      className={`bytes-body level-${Math.min(level, 3)}`}
      ref={host}
      data-file={id}
      data-inside={inside ?? undefined}
      aria-label={file?.name ?? id}
      onKeyDown={onKeyDown}
    >
      <div className="bytes-title">
        <h2>
          <code>{file?.name ?? id}</code>{' '}
          <small>
            {file
              ? `${file.opened ? '' : `${file.role}, `}${size(file.bytes)}`
              : isGone
                ? 'is no longer there'
                : ''}
          </small>
        </h2>
        {look === 'Bytes' && (
          <ByteTools
            goTo={goTo}
            find={find}
            found={found}
            onGo={go}
            onFind={(text) => void search(text)}
            onLeaveField={focusBytes}
          />
        )}
        {PICTURE_FORMATS.map((format) => (
          <button
            key={format}
            type="button"
            className="quiet"
            aria-label={`Save the ribbon as ${format.toUpperCase()}`}
            disabled={stretches.length === 0}
            onClick={() =>
              host.current &&
              void saveRibbon(format, host.current, file?.name ?? id, stretches, total)
            }
          >
            ⤓ {format.toUpperCase()}
          </button>
        ))}
      </div>
      {opened && (
        <OpenedHead
          file={opened}
          look={look}
          onLook={setLook}
          onSelect={onSelect}
          onType={props.onType}
        />
      )}
      <Ribbon
        name={`The file ${file?.name ?? id}`}
        stretches={stretches}
        total={total}
        level={level}
        selected={trail ? pathOfTrail(trail) || null : null}
        onPick={(path) => showBytes(`${id}/${path}`)}
        onHover={(part) =>
          setHover(
            part && inside === null
              ? { path: `${part.kind}:${part.number}`, node: asNode(part) }
              : null,
          )
        }
        window={inside === null && look === 'Bytes' ? { from: seen.from, to: seen.end } : null}
        pinned={toFile(pin && !pin.decoded ? pin.span : null)}
        hovered={toFile(hovered)}
      />
      {failure !== null && <p className="problem">{failure}</p>}
      {opened && look === 'Entries' && (
        <EntriesTable
          file={opened}
          moment={moment}
          ask={ask}
          onSelect={showBytes}
          onLookUp={lookUp}
        />
      )}
      {opened && look === 'Look up' && (
        <LookupView
          file={opened}
          wanted={wanted}
          stretches={stretches}
          moment={moment}
          ask={ask}
          onWant={setWanted}
          onSelect={showBytes}
          onType={props.onType}
        />
      )}
      {look === 'Bytes' && (
        <div className="bytes-columns">
          <div className="bytes-tree">
            <NodeTree
              tree={tree}
              label="Parts of the file"
              pinned={pin?.path ?? null}
              hovered={hover?.path ?? null}
              onPin={pinPath}
              onHover={hoverNode}
            />
          </div>
          <div className="bytes-hex">
            <SpaceSwitch trail={trail} inside={inside} onPinPath={pinPath} />
            {asTable ? (
              <PartsTable
                leaves={chunks.at(cursor)?.leaves ?? []}
                pinned={pin?.path ?? null}
                decoded={inside !== null}
                onPin={pinPath}
              />
            ) : (
              <HexGrid
                key={inside ?? ''}
                label={`Bytes of ${file?.name ?? id}${inside === null ? '' : ', decompressed block'}. Arrow keys move, Enter pins, Shift chooses bytes.`}
                chunks={chunks}
                cursor={cursor}
                pinned={pin?.span ?? null}
                hovered={hovered}
                onCursor={setCursor}
                onPin={pinByte}
                onRange={pinRange}
                onHover={hoverLeaf}
                onView={onView}
              />
            )}
            <Status chunks={chunks} cursor={cursor} hover={hover} decoded={inside !== null} />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <section className="bytes-data" aria-label="Data inspector" tabIndex={0}>
            <DataInspector
              pin={pin}
              bytes={
                pin
                  ? chunks.bytes(pin.span.from, Math.min(pin.span.end, pin.span.from + 256))
                  : EMPTY
              }
              preview={chunks.leaf(cursor)}
              leaf={chunks.leaf}
              onPlace={(offset) => {
                const leaf = chunks.leaf(offset);
                if (leaf) pinPath(leaf.path);
                else pinRange(offset, offset);
              }}
              onFile={(from, to) => onSelect(`${id}/bytes:${from}-${to}`)}
              onPinPath={pinPath}
              onCopy={(what) => void copy(what)}
              onCorrupt={
                props.canCorrupt && opened === null
                  ? (offset) => props.onType(`corrupt ${id} ${offset} 1`)
                  : undefined
              }
            />
          </section>
        </div>
      )}
    </section>
  );
}

const EMPTY = new Uint8Array();

/** The way from the file down to the selected part; the last one known while another is asked for. */
function useTrail(ask: Ask, file: string, path: string, moment: string): readonly Step[] | null {
  const answer = useAnswer(ask, partQuestion(file, path, 0, 0), moment, readPart);
  const last = useRef<readonly Step[] | null>(null);
  if (answer.state === 'ready') last.current = answer.result.part.trail;
  if (answer.state === 'failed') last.current = null;
  return last.current;
}

/** The compressed part whose content is shown; `null` for the bytes of the file. */
function insideOf(trail: readonly Step[] | null, selection: Selection | null): string | null {
  if (!trail) return null;
  const end = trail.findIndex((step) => step.decoded);
  if (end > 0) return pathOfTrail(trail.slice(0, end));
  if (!selection?.range?.decoded) return null;
  return pathOfTrail(trail);
}

function pinOf(trail: readonly Step[] | null, selection: Selection | null): Pin | null {
  if (!trail || !selection) return null;
  const last = trail[trail.length - 1];
  if (selection.range) {
    const { from, to, decoded } = selection.range;
    return { path: null, trail, span: { from, end: to + 1 }, decoded };
  }
  if (!last || trail.length < 2) return null;
  const { offset, bytes } = last.node;
  const span = { from: offset, end: offset + bytes };
  return { path: pathOfTrail(trail), trail, span, decoded: last.decoded };
}

/** The byte that has the keyboard: it follows what is pinned. */
function useCursor(pin: Pin | null, total: number): [number, (offset: number) => void] {
  const [state, setState] = useState<{ pin: Pin | null; cursor: number }>({ pin, cursor: 0 });
  let { cursor } = state;
  if (state.pin !== pin) {
    const outside = pin !== null && (cursor < pin.span.from || cursor >= pin.span.end);
    if (outside) cursor = pin.span.from;
    setState({ pin, cursor });
  }
  const clamped = Math.min(cursor, Math.max(total - 1, 0));
  const set = useCallback((offset: number) => setState((old) => ({ ...old, cursor: offset })), []);
  return [total === 0 ? cursor : clamped, set];
}

/** Where a block is compressed: its stored bytes, or what they hold. */
function SpaceSwitch(props: {
  trail: readonly Step[] | null;
  inside: string | null;
  onPinPath(path: string): void;
}) {
  const { trail, inside, onPinPath } = props;
  const at = trail?.findIndex(({ node }) => node.kind === 'compressed') ?? -1;
  if (!trail || at < 0) return null;
  const path = pathOfTrail(trail.slice(0, at + 1));
  return (
    <fieldset className="space-switch" aria-label="Which bytes">
      <button type="button" aria-pressed={inside === null} onClick={() => onPinPath(path)}>
        Stored, compressed
      </button>
      <button
        type="button"
        aria-pressed={inside !== null}
        onClick={() => onPinPath(`${path}/entry:1`)}
      >
        Decompressed
      </button>
      <span className="dim">{trail[at]?.node.value}</span>
    </fieldset>
  );
}

function Status(props: {
  chunks: Chunks;
  cursor: number;
  hover: { node: Node } | null;
  decoded: boolean;
}) {
  const { chunks, cursor, hover, decoded } = props;
  const chunk = chunks.at(cursor);
  const byte = chunk?.bytes[cursor - chunk.offset];
  const leaf = chunks.leaf(cursor);
  const names = leaf?.trail.map(({ name }) => name).join(' › ') ?? '';
  return (
    <p className="byte-status">
      <span className="mono">
        {decoded ? '+' : ''}
        {hex(cursor)}
      </span>{' '}
      <span className="dim">= {count(cursor)}</span>
      {byte !== undefined && (
        <span className="mono">
          {'  '}
          {hexByte(byte)} {letter(byte)}
        </span>
      )}{' '}
      <span className="names">
        {hover
          ? `${hover.node.name}${hover.node.value === '' ? '' : ` = ${hover.node.value}`}`
          : names}
      </span>
    </p>
  );
}

function asNode(part: {
  name: string;
  kind: string;
  number: number;
  offset: number;
  bytes: number;
}): Node {
  const { name, kind, number, offset, bytes } = part;
  return {
    name,
    kind,
    number,
    offset,
    bytes,
    value: '',
    children: [],
    inside: [],
    more: true,
    fact: null,
  };
}

/** Where the bytes of `word` are next; `null` when nowhere. */
async function findFrom(
  ask: Ask,
  space: Space,
  from: number,
  word: string,
): Promise<number | null> {
  const { result, error } = await ask(findQuestion(space, from, word));
  return error ? null : (readHex(result)?.offset ?? null);
}
