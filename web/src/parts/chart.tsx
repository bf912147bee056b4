// The frame every chart stands in: it knows its width, draws axes, and gives its children two scales.
import type { ComponentChildren, JSX, Ref } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { number } from '../lib/format';
import { linear, ticks, type Domain, type Scale } from '../lib/scale';

export interface Axis {
  domain: Domain;
  label?: string;
  ticks?: number;
  /** How its numbers are written. */
  format?: (x: number) => string;
  /** Places and names instead of round numbers. */
  named?: { at: number; name: string }[];
}

export interface Box {
  x: Scale;
  y: Scale;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Props {
  x: Axis;
  y: Axis;
  /** What the picture shows, for those who do not see it. */
  label: string;
  height?: number;
  grid?: boolean;
  children: (box: Box) => ComponentChildren;
  pointer?: (event: PointerEvent, box: Box) => void;
  drag?: boolean;
}

/** The width of an element, as it changes. */
export function useWidth(initial = 640): [Ref<HTMLDivElement>, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(initial);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.max(200, Math.floor(entry.contentRect.width))));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

/** About as wide as these words are drawn, in the small type of axes. */
export const widest = (words: string[]): number => 6.9 * Math.max(0, ...words.map((word) => word.length));

/** A title that is longer than its axis, cut. */
export const fitting = (text: string, room: number): string => {
  const most = Math.max(8, Math.floor(room / 6.9));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};

export function Chart({ x, y, label, height = 280, grid = true, children, pointer, drag }: Props): JSX.Element {
  const [ref, width] = useWidth();
  const ys = y.named ?? ticks(y.domain, y.ticks ?? 4).map((at) => ({ at, name: (y.format ?? number)(at) }));
  // Room for the numbers, and for the title beside them.
  const left = Math.max(52, Math.ceil(widest(ys.map((tick) => tick.name))) + (y.label ? 30 : 12));
  const box: Box = {
    left,
    right: width - 14,
    top: 12,
    bottom: height - 44,
    x: linear(x.domain, [left, width - 14]),
    y: linear(y.domain, [height - 44, 12]),
  };
  const marked = (many: number): { at: number; name: string }[] => ticks(x.domain, many).map((at) => ({ at, name: (x.format ?? number)(at) }));
  let xs = x.named ?? marked(x.ticks ?? Math.max(3, Math.floor(width / 110)));
  // Long ones, such as dates, are fewer.
  if (!x.named && xs.length * (widest(xs.map((tick) => tick.name)) + 14) > width - left) xs = xs.filter((_, i) => i % 2 === 0);
  const handle = (event: PointerEvent): void => {
    if (event.type === 'pointermove' && !(drag && event.buttons === 1)) return;
    if (drag) (event.currentTarget as Element).setPointerCapture(event.pointerId);
    pointer?.(event, box);
  };
  return (
    <div class="chart" ref={ref}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={label}
        class={pointer ? 'live' : undefined}
        onPointerDown={pointer && handle}
        onPointerMove={pointer && drag ? handle : undefined}
      >
        <g class="axis">
          {ys.map(({ at, name }) => (
            <g key={name} transform={`translate(0 ${box.y(at)})`}>
              {grid && <line class="grid" x1={box.left} x2={box.right} />}
              <text x={box.left - 8} dy="0.32em" text-anchor="end">{name}</text>
            </g>
          ))}
          <line class="base" x1={box.left} x2={box.right} y1={box.bottom} y2={box.bottom} />
          {xs.map(({ at, name }) => (
            <g key={name} transform={`translate(${box.x(at)} ${box.bottom})`}>
              <line class="tick" y2={4} />
              <text y={18} text-anchor="middle">{name}</text>
            </g>
          ))}
          {x.label && <text class="title" x={(box.left + box.right) / 2} y={height - 6} text-anchor="middle">{fitting(x.label, box.right - box.left)}</text>}
          {y.label && <text class="title" transform={`translate(12 ${(box.top + box.bottom) / 2}) rotate(-90)`} text-anchor="middle">{y.label}</text>}
        </g>
        {children(box)}
      </svg>
    </div>
  );
}

/** Where a pointer is, in the numbers of the axes. */
export function under(event: PointerEvent, box: Box, x: Domain, y: Domain): [number, number] {
  const frame = (event.currentTarget as Element).getBoundingClientRect();
  return [
    linear([box.left, box.right], x)(event.clientX - frame.left),
    linear([box.bottom, box.top], y)(event.clientY - frame.top),
  ];
}
