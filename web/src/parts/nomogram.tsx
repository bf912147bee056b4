// A nomogram: a line for every column, a dot for its value, places to the right speak for a class. Dots can be dragged.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { nats, probability, value as written } from '../lib/format';
import { clamp, extent, linear, path, ticks, type Domain, type Scale } from '../lib/scale';
import type { Column, ExplainAnswer, NomogramAnswer, NomogramColumn, Row, Value } from '../lib/types';
import { useWidth, widest } from './chart';

interface Props {
  answer: NomogramAnswer;
  /** The evidence for the row, for the same two classes: where the dots are. */
  explained: ExplainAnswer;
  /** The model's columns, which say how values are written. */
  columns: Column[];
  row: Row;
  change: (column: string, value: Value) => void;
}

const most = 12;
const left = 8;

export function Nomogram({ answer, explained, columns: known, row, change }: Props): JSX.Element {
  const [ref, width] = useWidth();
  const weights = sums(explained);
  const [all, setAll] = useState(false);
  const usable = answer.columns.filter((c) => c.points.length > 0);
  const columns = all ? usable : telling(usable, row);
  // Terms without a line of their own: texts, columns in one table, columns that are not shown; and the prior.
  const fixed = [...weights].filter(([name]) => !columns.some((c) => c.column === name));
  const domain = range(columns, fixed.map(([, weight]) => weight));
  const x = linear(domain, [left, width - left]);
  const place: Scale = (weight) => clamp(x(weight), left, width - left);
  let top = 26;
  const rows = columns.map((column) => {
    const height = column.kind === 'number' ? 92 : 74;
    const at = top;
    top += height;
    const of = known.find((c) => c.name === column.column);
    return <Line key={column.column} {...{ column, place, at, height, row, change }} shown={(v) => written(v, of)} weight={weights.get(column.column)} />;
  });
  const fixedAt = top;
  top += 42 * fixed.length + 4;
  const total = explained.log_odds;
  return (
    <div class="nomogram" ref={ref}>
      <svg width={width} height={top + 84} role="group" aria-label={`nomogram: evidence for ${answer.class} against ${answer.against}`}>
        <g class="axis">
          {ticks(domain, width / 140).map((tick) => (
            <g key={tick}>
              <line class={tick === 0 ? 'zero' : 'grid'} x1={x(tick)} x2={x(tick)} y1={20} y2={top - 14} />
              <text x={clamp(x(tick), left + 12, width - left - 12)} y={12} text-anchor="middle">{nats(tick)}</text>
            </g>
          ))}
        </g>
        {rows}
        {fixed.map(([name, weight], i) => (
          <g key={name} transform={`translate(0 ${fixedAt + 42 * i})`}>
            <text class="name" x={left} y={12}>{name}</text>
            <text class="weight" x={width - left} y={12} text-anchor="end">{nats(weight)}</text>
            <circle class="still" cx={place(weight)} cy={24} r={5} />
          </g>
        ))}
        <Total at={top} width={width} total={total} answer={answer} />
      </svg>
      {usable.length > most && <button type="button" class="quiet" onClick={() => setAll(!all)}>{all ? 'only the columns that can say most' : `all ${usable.length} columns`}</button>}
    </div>
  );
}

/** The columns of the row, and those that can say most. */
function telling(columns: NomogramColumn[], row: Row): NomogramColumn[] {
  const reach = (c: NomogramColumn): number => {
    const [low, high] = extent(c.points.map((p) => clamp(p.weight ?? 0, -8, 8)));
    return high - low;
  };
  const least = columns.map(reach).sort((a, b) => b - a)[most] ?? -1;
  return columns.filter((c) => row[c.column] !== undefined || reach(c) > least);
}

/** The weight of every column: the words of a text together. */
function sums(explained: ExplainAnswer): Map<string, number> {
  const out = new Map<string, number>();
  for (const term of explained.evidence) out.set(term.column, (out.get(term.column) ?? 0) + (term.weight ?? 0));
  return out;
}

/** From the smallest weight to the largest, as far as a picture can show them side by side. */
function range(columns: NomogramColumn[], more: number[]): Domain {
  const all = [...columns.flatMap((c) => c.points.map((p) => p.weight ?? 0)), ...more];
  const [low, high] = extent([...all.filter(Number.isFinite), -1, 1]);
  const wide = 8;
  // What is certain stands at the edge, a little beyond the rest.
  const room = (end: number): number => (all.includes(end) ? 0.8 : 0.1);
  return [Math.max(low, -wide) - room(-Infinity), Math.min(high, wide) + room(Infinity)];
}

interface LineProps {
  column: NomogramColumn;
  place: Scale;
  at: number;
  height: number;
  row: Row;
  shown: (value: Value) => string;
  /** What the value says; nothing where it speaks only together with others. */
  weight: number | undefined;
  change: (column: string, value: Value) => void;
}

function Line({ column, place, at, height, row, shown, weight, change }: LineProps): JSX.Element {
  const now = row[column.column] ?? null;
  const number = column.kind === 'number';
  const points = column.points.map((p, i) => ({
    value: p.value,
    x: place(p.weight ?? 0),
    y: number ? height - 26 - ((height - 56) * i) / Math.max(1, column.points.length - 1) : 32,
  }));
  const index = nearestValue(points, now);
  const here = points[index];
  const move = (event: PointerEvent): void => {
    if (event.type === 'pointermove' && event.buttons !== 1) return;
    const target = event.currentTarget as SVGGElement;
    target.setPointerCapture(event.pointerId);
    const frame = target.ownerSVGElement?.getBoundingClientRect();
    if (!frame) return;
    const [px, py] = [event.clientX - frame.left, event.clientY - frame.top - at];
    const distance = (p: { x: number; y: number }): number => (p.x - px) ** 2 + (number ? 4 * (p.y - py) ** 2 : 0);
    const best = points.reduce((a, b) => (distance(b) < distance(a) ? b : a));
    change(column.column, best.value);
    target.querySelector<SVGElement>('.dot')?.focus();
  };
  const order = number ? points : [...points].sort((a, b) => a.x - b.x);
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity }[event.key];
    if (event.key === 'Delete' || event.key === 'Backspace') change(column.column, null);
    else if (step !== undefined) {
      const from = here ? order.indexOf(here) : Math.floor(order.length / 2);
      change(column.column, order[clamp(from + step, 0, order.length - 1)]?.value ?? null);
    } else return;
    event.preventDefault();
  };
  const alone = weight !== undefined;
  const x = now === null ? place(0) : alone ? place(weight) : (here?.x ?? place(0));
  const says = now === null ? '' : alone ? nats(weight) : 'with others, below';
  const y = here && now !== null ? here.y : number ? height / 2 : 32;
  return (
    <g class="line" transform={`translate(0 ${at})`} onPointerDown={move} onPointerMove={move}>
      <rect class="touch" x={0} y={0} width={place(Infinity) + left} height={height} />
      <text class="name" x={left} y={12}>
        {column.column} <tspan class="value">{now === null ? 'missing' : shown(now)}</tspan>
      </text>
      <text class="weight" x={place(Infinity)} y={12} text-anchor="end">{says}</text>
      {number ? <path class="curve" d={path(points.map((p) => [p.x, p.y]))} /> : <Values points={points} right={place(Infinity)} />}
      {number && <Along points={points} shown={shown} right={place(Infinity)} />}
      <circle
        class={now === null || !alone ? 'dot missing' : 'dot'}
        cx={x}
        cy={y}
        r={7}
        tabindex={0}
        role="slider"
        aria-label={column.column}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points.length - 1)}
        aria-valuenow={Math.max(0, index)}
        aria-valuetext={now === null ? 'missing' : `${shown(now)}, ${says}${alone ? ' nats' : ''}`}
        onKeyDown={key}
      />
    </g>
  );
}

interface Point {
  value: number | string;
  x: number;
  y: number;
}

/** The values of a category on its line; names that would overlap go below, and then away. */
function Values({ points, right }: { points: Point[]; right: number }): JSX.Element {
  const sorted = [...points].sort((a, b) => a.x - b.x);
  const ends = [-Infinity, -Infinity];
  return (
    <>
      <line class="curve" x1={sorted[0]?.x} x2={sorted.at(-1)?.x} y1={32} y2={32} />
      {sorted.map((p) => {
        const half = String(p.value).length * 3.4 + 6;
        // Names stay inside; their room is where they then are.
        const middle = clamp(p.x, Math.min(left + half - 6, right), Math.max(right - half + 6, left));
        const level = ends.findIndex((end) => middle - half >= end);
        if (level >= 0) ends[level] = middle + half;
        return (
          <g key={p.value}>
            <line class="tick" x1={p.x} x2={p.x} y1={28} y2={36} />
            {level >= 0 && <text x={middle} y={49 + 13 * level} text-anchor="middle">{p.value}</text>}
          </g>
        );
      })}
    </>
  );
}

/** Round values along a curve; those too near to the last are left out. */
function Along({ points, shown, right }: { points: Point[]; shown: (value: Value) => string; right: number }): JSX.Element {
  const [low, high] = extent(points.map((p) => Number(p.value)));
  let last: Point | undefined;
  const marks = ticks([low, high], 4).flatMap((value) => {
    const p = points[Math.round(((value - low) / (high - low || 1)) * (points.length - 1))];
    const half = (widest([shown(value)]) + (last ? widest([shown(last.value)]) : 0)) / 2 + 6;
    if (!p || (last && Math.abs(p.x - last.x) < half && Math.abs(p.y - last.y) < 14)) return [];
    last = p;
    const own = widest([shown(value)]) / 2;
    return [{ ...p, value, shift: clamp(p.x, left + own, right - own) - p.x }];
  });
  return (
    <>
      {marks.map((p) => (
        <g key={p.value} transform={`translate(${p.x} ${p.y})`}>
          <circle class="mark" r={2.2} />
          <text x={p.shift} y={15} text-anchor="middle">{shown(p.value)}</text>
        </g>
      ))}
    </>
  );
}

function nearestValue(points: Point[], now: Value): number {
  if (now === null) return -1;
  if (typeof now !== 'number') return points.findIndex((p) => p.value === now);
  let best = -1;
  for (let i = 0; i < points.length; ++i) {
    if (best < 0 || Math.abs(Number(points[i]?.value) - now) < Math.abs(Number(points[best]?.value) - now)) best = i;
  }
  return best;
}

interface TotalProps {
  at: number;
  width: number;
  total: number | null;
  answer: NomogramAnswer;
}

/** The sum of it all, in log-odds and in probability. */
function Total({ at, width, total, answer }: TotalProps): JSX.Element {
  const reach = clamp(Math.abs(total ?? 0) + 1, 5, 12);
  const x = linear([-reach, reach], [left + 14, width - left - 14]);
  const ps = [0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999].filter((p) => Math.abs(Math.log(p / (1 - p))) <= reach && (width > 520 || p !== 0.05 && p !== 0.95));
  return (
    <g class="total" transform={`translate(0 ${at})`}>
      <text class="name" x={left} y={12}>sum: log-odds</text>
      <text class="weight" x={width - left} y={12} text-anchor="end" data-sum={total}>{nats(total)}</text>
      <line class="curve" x1={x(-reach)} x2={x(reach)} y1={34} y2={34} />
      {ps.map((p) => (
        <g key={p} transform={`translate(${x(Math.log(p / (1 - p)))} 34)`}>
          <line class="tick" y1={-4} y2={4} />
          <text y={19} text-anchor="middle">{probability(p).replace(/0+$/, '')}</text>
        </g>
      ))}
      <circle class="sum" cx={x(clamp(total ?? -reach, -reach, reach))} cy={34} r={7} />
      <text class="note" x={left} y={74}>P({answer.class}) if only {answer.class} and {answer.against} are possible</text>
    </g>
  );
}
