// The map of a plane: posterior as colour on a canvas; lines, axes and rows over it as SVG.
import type { JSX } from 'preact';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import { classColour, rgb } from '../lib/colours';
import { contours } from '../lib/plane_lines';
import { numberOf } from '../lib/format';
import { clamp, linear, ticks, type Scale } from '../lib/scale';
import { useThemeChanges } from '../lib/theme';
import type { Column, DataRow, PlaneAnswer, Row } from '../lib/types';
import { fitting, useWidth, widest } from './chart';

interface Props {
  answer: PlaneAnswer;
  names: [string, string];
  /** The two columns, which say how values are written. */
  columns?: (Column | undefined)[];
  data: DataRow[];
  point: Row | undefined;
  /** What to do with a place that was clicked; without it the map is a picture. */
  pick?: (row: Row) => void;
}

type Places = (number | string)[];

/** Where a value stands: a number by its size, a word by its place in the list. */
function scaleOf(places: Places, from: number, to: number): { at: (v: unknown) => number; back: (pixel: number) => number | string; index: Scale } {
  const n = places.length;
  if (typeof places[0] === 'string') {
    const index = linear([-0.5, n - 0.5], [from, to]);
    const inverse = linear([from, to], [-0.5, n - 0.5]);
    return { at: (v) => index(places.indexOf(v as string)), back: (pixel) => places[clamp(Math.round(inverse(pixel)), 0, n - 1)] ?? '', index };
  }
  const low = Number(places[0]);
  const high = Number(places[n - 1]);
  const scale = linear([low, high], [from, to]);
  return { at: (v) => (v === null || v === undefined || v === '' ? NaN : scale(Number(v))), back: linear([from, to], [low, high]), index: linear([0, n - 1], [from, to]) };
}

export function PlaneMap({ answer, names, columns = [], data, point, pick }: Props): JSX.Element {
  const [ref, width] = useWidth();
  const height = Math.round(Math.min(width * 0.82, 560));
  const frame = useId();
  const written = (i: 0 | 1) => (v: number | string): string => (typeof v === 'string' ? v : numberOf(columns[i], v));
  const across = axisOf(answer.x, width / 110);
  const up = axisOf(answer.y, 6);
  const left = Math.min(Math.max(52, Math.ceil(widest(up.map(written(1)).map((name) => cut(name, 14)))) + 30), width / 3);
  // Words that do not fit side by side stand slantwise.
  const each = (width - 8 - left) / Math.max(1, across.length);
  const slant = typeof answer.x[0] === 'string' && widest(across.map(String)) + 8 > each;
  const bottom = slant ? 46 + Math.min(70, 0.72 * widest(across.map((v) => cut(String(v), 14)))) : 46;
  const x = scaleOf(answer.x, left, width - 8);
  const y = scaleOf(answer.y, height - bottom, 8);
  const words = typeof answer.x[0] === 'string' || typeof answer.y[0] === 'string';
  const lines = useMemo(() => (words ? { density: [], decision: [] } : contours(answer)), [answer, words]);
  const draw = (segments: number[][]): string => segments.map(([a = 0, b = 0, c = 0, d = 0]) => `M${x.index(a).toFixed(1)} ${y.index(b).toFixed(1)}L${x.index(c).toFixed(1)} ${y.index(d).toFixed(1)}`).join('');
  const click = (event: MouseEvent): void => {
    if (!pick) return;
    const seen = (event.currentTarget as Element).getBoundingClientRect();
    const [px, py] = [event.clientX - seen.left, event.clientY - seen.top];
    if (px < left || py > height - bottom) return;
    const near = nearest(data, names, x.at, y.at, px, py);
    if (near) return pick(near.row);
    const rounded = (v: number | string): number | string => (typeof v === 'number' ? Number(v.toPrecision(4)) : v);
    pick({ [names[0]]: rounded(x.back(px)), [names[1]]: rounded(y.back(py)) });
  };
  return (
    <div class="map" ref={ref}>
      <Heat answer={answer} box={[left, 8, width - 8 - left, height - bottom - 8]} />
      <svg width={width} height={height} role="img" aria-label={`${names[0]} by ${names[1]}: posterior, densities and decision lines of ${answer.classes.join(', ')}`} onClick={click}>
        <g class="axis">
          {across.map((v) => (
            <g key={v} transform={`translate(${x.at(v)} ${height - bottom})`}>
              <line class="tick" y2={4} />
              {slant ? <text transform="translate(3 12) rotate(-45)" text-anchor="end">{cut(String(v), 14)}</text> : <text y={18} text-anchor="middle">{written(0)(v)}</text>}
            </g>
          ))}
          {up.map((v) => (
            <text key={v} x={left - 8} y={y.at(v)} dy="0.32em" text-anchor="end">{cut(written(1)(v), 14)}</text>
          ))}
          <text class="title" x={(left + width) / 2} y={height - 8} text-anchor="middle">{fitting(names[0], width - left)}</text>
          <text class="title" transform={`translate(12 ${(height - bottom) / 2}) rotate(-90)`} text-anchor="middle">{fitting(names[1], height - bottom)}</text>
        </g>
        <clipPath id={frame}><rect x={left - 4} y={4} width={Math.max(0, width - left)} height={Math.max(0, height - bottom)} /></clipPath>
        {lines.density.map((levels, c) => <path key={c} class="density" d={levels.map(draw).join('')} style={{ stroke: classColour(c) }} />)}
        {lines.decision.map((segments, i) => <path key={i} class="decision-line" d={draw(segments)} />)}
        <g clip-path={`url(#${frame})`}><Dots data={data} names={names} classes={answer.classes} x={x.at} y={y.at} room={[roomOf(answer.x, width - 8 - left), roomOf(answer.y, height - bottom - 8)]} /></g>
        {point && Number.isFinite(x.at(point[names[0]])) && (
          <g class="cross" transform={`translate(${x.at(point[names[0]])} ${y.at(point[names[1]])})`}><circle r={9} /><line x1={-15} x2={15} /><line y1={-15} y2={15} /></g>
        )}
      </svg>
    </div>
  );
}

const roomOf = (places: Places, length: number): number => (typeof places[0] === 'string' ? length / places.length : 0);
const cut = (name: string, length: number): string => (name.length > length ? `${name.slice(0, length - 1)}…` : name);

const axisOf = (places: Places, count: number): Places =>
  typeof places[0] === 'string' ? places : ticks([Number(places[0]), Number(places.at(-1))], count);

interface DotProps {
  data: DataRow[];
  names: [string, string];
  classes: string[];
  x: (v: unknown) => number;
  y: (v: unknown) => number;
  /** How wide and how high the place of a word is; 0 of numbers, which stand where they are. */
  room: [number, number];
}

/** The rows; where columns hold words, spread a little so that they do not lie on each other. */
function Dots({ data, names, classes, x, y, room }: DotProps): JSX.Element {
  const spread = (i: number, prime: number, within: number): number => ((((i * prime) % 41) - 20) / 41) * Math.min(44, 0.8 * within);
  return (
    <g class="dots">
      {data.map((d) => {
        const [cx, cy] = [x(d.row[names[0]]), y(d.row[names[1]])];
        if (!Number.isFinite(cx) || !Number.isFinite(cy)) return null;
        const c = classes.indexOf(d.label ?? '');
        return <circle key={d.index} cx={cx + spread(d.index, 17, room[0])} cy={cy + spread(d.index, 29, room[1])} r={3.6} style={{ fill: c < 0 ? 'none' : classColour(c) }} class={d.label !== d.predicted ? 'wrong' : undefined} />;
      })}
    </g>
  );
}

function nearest(data: DataRow[], names: [string, string], x: (v: unknown) => number, y: (v: unknown) => number, px: number, py: number): DataRow | undefined {
  let best: DataRow | undefined;
  let least = 6 ** 2;
  for (const d of data) {
    const far = (x(d.row[names[0]]) - px) ** 2 + (y(d.row[names[1]]) - py) ** 2;
    if (far < least) [best, least] = [d, far];
  }
  return best;
}

function Heat({ answer, box }: { answer: PlaneAnswer; box: [number, number, number, number] }): JSX.Element {
  const ref = useRef<HTMLCanvasElement>(null);
  const theme = useThemeChanges();
  const [nx, ny] = [answer.x.length, answer.y.length];
  useEffect(() => {
    const context = ref.current?.getContext('2d');
    if (!context) return;
    const colours = answer.classes.map((_, c) => rgb(classColour(c)));
    const paper = rgb('var(--paper)');
    const image = context.createImageData(nx, ny);
    for (let j = 0; j < ny; ++j) {
      for (let i = 0; i < nx; ++i) {
        const ps = answer.classes.map((c) => answer.posterior[c]?.[j]?.[i] ?? 0);
        const best = ps.indexOf(Math.max(...ps));
        const chance = 1 / ps.length;
        const sure = clamp(((ps[best] ?? 0) - chance) / (1 - chance), 0, 1);
        const share = 0.06 + 0.3 * sure;
        const at = 4 * ((ny - 1 - j) * nx + i);
        for (let k = 0; k < 3; ++k) image.data[at + k] = (paper[k] ?? 0) * (1 - share) + (colours[best]?.[k] ?? 0) * share;
        image.data[at + 3] = 255;
      }
    }
    context.putImageData(image, 0, 0);
  }, [answer, theme]);
  const [x, y, w, h] = box;
  return <canvas ref={ref} width={nx} height={ny} aria-hidden="true" style={{ left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px`, imageRendering: nx < 20 ? 'pixelated' : 'auto' }} />;
}
