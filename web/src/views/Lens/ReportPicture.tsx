import '../Charts/Charts.css';
import './ReportPicture.css';

import { useRef } from 'react';
import { useSize } from '../shared/useSize';
import type { Axis, Picture } from './scene/answers';
import {
  type BarGroup,
  barGroups,
  type CurveScene,
  curveScene,
  placeText,
  type SpanScene,
  spanScene,
  valueText,
} from './scene/chart';
import { duration } from './scene/words';

interface Props {
  picture: Picture;
  /** Names of bars that stand for files that are missing. */
  missing?: ReadonlySet<string>;
  onStep(step: number): void;
}

const NONE: ReadonlySet<string> = new Set();

/** Whether a picture has anything to draw. */
export function isDrawn(picture: Picture): boolean {
  return (
    curveScene(picture, 640) !== null ||
    spanScene(picture) !== null ||
    barGroups(picture).length > 0
  );
}

const FIRST_SIZE = { width: 640, height: 100 };
const SIZE_MIN = { width: 240, height: 1 };
/** More bars than these stand upright, side by side, without their names. */
const NAMED_MAX = 24;

/** A picture of a report: curves, bars or spans. Its rows are in the table below it. */
export function ReportPicture({ picture, missing = NONE, onStep }: Props) {
  const host = useRef<HTMLElement>(null);
  const { width } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const curves = curveScene(picture, width);
  const groups = barGroups(picture);
  const spans = spanScene(picture);
  if (!curves && !spans && groups.length === 0) return null;
  return (
    <figure className="charts lens-chart" ref={host}>
      <figcaption>{picture.title}</figcaption>
      {curves && <Curves scene={curves} picture={picture} onStep={onStep} />}
      {groups.map((group) =>
        group.bars.length > NAMED_MAX ? (
          <Columns key={group.title} group={group} width={width} />
        ) : (
          <Bars key={group.title} group={group} missing={missing} />
        ),
      )}
      {spans && <Spans scene={spans} />}
    </figure>
  );
}

const DASHES = ['', '9 4', '2 4', '12 4 2 4', '5 2'];
/** The points of each line, from their middle on: a disk, a square, a diamond, a triangle, a ring. */
const POINTS = [
  'm0-3.2a3.2 3.2 0 1 1-.01 0z',
  'm-3-3h6v6h-6z',
  'm0-4.2l4.2 4.2l-4.2 4.2l-4.2-4.2z',
  'm-4 3.2h8l-4-7z',
  'm0-4a4 4 0 1 1-.01 0zm0 2a2 2 0 1 0 .01 0z',
];

/** The style of the line at an index. */
function lookAt(index: number) {
  return {
    className: `lens-line-${index % 5}`,
    dash: DASHES[index % DASHES.length],
    point: POINTS[index % POINTS.length] ?? '',
  };
}

function Curves(props: Props & { scene: CurveScene }) {
  const { scene, picture, onStep } = props;
  const { width, height, left, right, bottom, curves } = scene;
  const isSteps = picture.x.label === 'step';
  return (
    <>
      <svg width={width} height={height} aria-hidden="true">
        {scene.ticks.map(({ y, text }) => (
          <g className="grid" key={y}>
            <path d={`M${left} ${y.toFixed(1)}H${right}`} />
            <text x={left - 8} y={y + 5} textAnchor="end">
              {text}
            </text>
          </g>
        ))}
        {curves.map(({ label, path, points }, index) => (
          <g className={`series ${lookAt(index).className}`} key={label}>
            {curves.length === 1 && (
              <path className="area" d={`${path}V${bottom}H${points[0]?.x ?? left}Z`} />
            )}
            <path className="line" d={path} strokeDasharray={lookAt(index).dash} />
          </g>
        ))}
        {/* After the curves: an area must not cover them. */}
        {scene.references.map(({ y, text }) => (
          <g className="lens-reference" key={text}>
            <path d={`M${left} ${y.toFixed(1)}H${right}`} />
            <text x={left + 6} y={y - 5}>
              {text}
            </text>
          </g>
        ))}
        {curves.flatMap(({ label, points }, index) =>
          points.map(({ x, y, at, value }) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table below leads to the same steps by keyboard
            <g
              key={`${label} ${at}`}
              className={`lens-point ${lookAt(index).className}${isSteps ? ' to-step' : ''}`}
              onClick={isSteps ? () => onStep(Math.round(at)) : undefined}
            >
              <title>{`${placeText(at, picture.x)}: ${valueText(value, picture.y)}${curves.length > 1 ? `, ${label}` : ''}`}</title>
              <rect className="hit" x={x - 4} y={10} width={8} height={bottom - 10} />
              {points.length <= 60 && (
                <path
                  className="point"
                  fillRule="evenodd"
                  d={`M${x.toFixed(1)} ${y.toFixed(1)}${lookAt(index).point}`}
                />
              )}
            </g>
          )),
        )}
        {scene.xTicks.map(({ x, text, anchor }) => (
          <text key={text} x={x} y={height - 6} textAnchor={anchor}>
            {text}
          </text>
        ))}
      </svg>
      {curves.length > 1 && <CurveNames curves={curves} />}
    </>
  );
}

/** The legend of the lines. */
function CurveNames({ curves }: Pick<CurveScene, 'curves'>) {
  return (
    <ul className="lens-key-list wraps bare">
      {curves.map(({ label }, index) => (
        <li key={label} className={`in-row ${lookAt(index).className}`}>
          <svg width={44} height={12} aria-hidden="true">
            <path className="lens-key-line" d="M0 6H44" strokeDasharray={lookAt(index).dash} />
            <path className="lens-key-point" fillRule="evenodd" d={`M22 6${lookAt(index).point}`} />
          </svg>{' '}
          {label}
        </li>
      ))}
    </ul>
  );
}

/** Named bars, one below the other. */
function Bars({ group, missing }: { group: BarGroup; missing: ReadonlySet<string> }) {
  const { title, bars, most, axis, labels } = group;
  return (
    <div className="lens-bars">
      {title !== '' && <h4>{title}</h4>}
      {bars.map(({ name, parts }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two bars can have one name
        <div className={`lens-bar-row${missing.has(name) ? ' is-missing' : ''}`} key={index}>
          <span className="mono clipped">{name}</span>
          <span className="lens-bar">
            {parts.map(({ label, value }, part) => (
              <i
                key={label}
                className={part > 0 ? 'second' : ''}
                style={{ width: `${(100 * value) / most}%` }}
              />
            ))}
          </span>
          <span>
            {missing.has(name) && <span className="lens-missing-word">▲ missing: </span>}
            {partsText(parts, axis)}
          </span>
        </div>
      ))}
      {labels.length > 1 && (
        <p className="lens-stack-key">
          {labels.map((label, index) => (
            <span key={label}>
              <i className={index > 0 ? 'second' : ''} /> {label}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

function partsText(parts: readonly { label: string; value: number }[], axis: Axis): string {
  return parts
    .filter(({ value }, index) => index === 0 || value > 0)
    .map(({ label, value }) =>
      parts.length > 1 ? `${valueText(value, axis)} ${label}` : valueText(value, axis),
    )
    .join(', ');
}

const COLUMNS_H = 96;

/** Many bars side by side; each shows its name under the pointer. */
function Columns({ group, width }: { group: BarGroup; width: number }) {
  const { title, bars, most, axis } = group;
  const left = 74;
  const pitch = (width - left - 12) / bars.length;
  const first = bars[0]?.name ?? '';
  const last = bars[bars.length - 1]?.name ?? '';
  return (
    <div>
      {title !== '' && <h4>{title}</h4>}
      <svg width={width} height={COLUMNS_H + 24} aria-hidden="true">
        {[0, most].map((value) => (
          <g className="grid" key={value}>
            <path d={`M${left} ${value === 0 ? COLUMNS_H : 8}H${width - 12}`} />
            <text x={left - 8} y={value === 0 ? COLUMNS_H : 13} textAnchor="end">
              {valueText(value, axis)}
            </text>
          </g>
        ))}
        {bars.map(({ name, parts }, index) => {
          const value = parts.reduce((sum, part) => sum + part.value, 0);
          const h = ((COLUMNS_H - 8) * value) / most;
          const x = left + index * pitch;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two bars can have one name
            <g className="lens-column" key={index}>
              <title>{`${name}: ${valueText(value, axis)}`}</title>
              <rect className="hit" x={x} y={0} width={pitch} height={COLUMNS_H} />
              <rect
                className="lens-column-bar"
                x={x + Math.min(pitch * 0.1, 1)}
                y={COLUMNS_H - h}
                width={Math.max(pitch * 0.8, 0.8)}
                height={h}
              />
            </g>
          );
        })}
        <text className="mono" x={left} y={COLUMNS_H + 18}>
          {cut(first)}
        </text>
        <text className="mono" x={width - 12} y={COLUMNS_H + 18} textAnchor="end">
          {cut(last)}
        </text>
      </svg>
    </div>
  );
}

function cut(name: string): string {
  return name.length > 32 ? `${name.slice(0, 31)}…` : name;
}

/** Spans of time, a lane for each series. */
function Spans({ scene: { lanes, ticks } }: { scene: SpanScene }) {
  return (
    <div className="lens-spans">
      {lanes.map(({ label, spans }) => (
        <div className="lens-bar-row" key={label}>
          <span className="mono clipped">{label}</span>
          <span className="lens-lane">
            {spans.map(({ start, end, label: what, x, w }) => (
              <i
                key={`${start} ${what}`}
                title={`${what}, ${duration(Math.max(Math.round(end - start), 0))}`}
                style={{ left: `${100 * x}%`, width: `max(${100 * w}%, 4px)` }}
              />
            ))}
          </span>
        </div>
      ))}
      <div className="lens-bar-row" aria-hidden="true">
        <span />
        <span className="lens-times dim">
          {ticks.map(({ text }) => (
            <span key={text}>{text}</span>
          ))}
        </span>
      </div>
    </div>
  );
}
