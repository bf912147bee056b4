// The densities of a number, a curve for every class.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { classColour } from '../lib/colours';
import { number, numberOf, probability } from '../lib/format';
import { clamp, extent, path } from '../lib/scale';
import type { ByClass, Column, ColumnAnswer } from '../lib/types';
import { Key } from './bars';
import { Chart, under } from './chart';
import { Figure } from './figure';

interface Props {
  answer: ColumnAnswer;
  column: Column;
  /** Given, curves are multiplied by it. */
  prior?: ByClass;
}

const dashes = [undefined, '7 4', '2 3'];

export function Curves({ answer, column, prior }: Props): JSX.Element {
  const [at, setAt] = useState<number>();
  const { x, density } = answer.curve ?? { x: [], density: {} };
  const factor = (name: string): number => (prior ? (prior[name] ?? 0) : 1);
  const lines = answer.classes.map((name) => (density[name] ?? []).map((d) => (d ?? 0) * factor(name)));
  const [, highest] = extent(lines.flat());
  const domain = extent(x);
  const heights = { domain: [0, highest * 1.05 || 1] as [number, number], label: prior ? 'density × prior' : 'density' };
  const marked = at === undefined ? undefined : clamp(at, 0, x.length - 1);
  const middle = Math.floor(x.length / 2);
  const place = (v: number | undefined): string => numberOf(column, v, 5);
  const { zero } = answer;
  return (
    <Figure
      caption={
        marked === undefined ? 'Point at the picture, or move through it with the arrow keys.' : (
          <>at {place(x[marked])}: {answer.classes.map((name, c) => `${name} ${number(lines[c]?.[marked])}`).slice(0, 8).join(', ')}</>
        )
      }
      table={{
        head: [column.name, ...answer.classes],
        rows: x.filter((_, i) => i % 5 === 0).map((v, i) => [place(v), ...lines.map((line) => number(line[5 * i]))]),
      }}
    >
      <Key classes={answer.classes} />
      {zero && <p class="fine">Zeros stand apart, with a probability of their own: {answer.classes.slice(0, 8).map((name) => `${name} ${probability((zero[name] ?? 0) * factor(name))}`).join(', ')}{answer.classes.length > 8 && ', …'}. The curves are of the other values.</p>}
      <div
        class="reader"
        tabIndex={0}
        role="slider"
        aria-label={`place on ${column.name}`}
        aria-valuemin={domain[0]}
        aria-valuemax={domain[1]}
        aria-valuenow={x[marked ?? middle]}
        aria-valuetext={`${place(x[marked ?? middle])}: ${answer.classes.map((name, c) => `${name} ${number(lines[c]?.[marked ?? middle])}`).slice(0, 8).join(', ')}`}
        onKeyDown={(event) => {
          const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 20, PageDown: -20 }[event.key];
          if (step === undefined) return;
          setAt(clamp((marked ?? middle) + step, 0, x.length - 1));
          event.preventDefault();
        }}
      >
        <Chart
          x={{ domain, label: column.name, format: (v) => numberOf(column, v) }}
          y={heights}
          height={340}
          label={`densities of ${column.name} for ${answer.classes.join(', ')}`}
          drag
          pointer={(event, box) => {
            const [v] = under(event, box, domain, heights.domain);
            setAt(Math.round(((v - domain[0]) / (domain[1] - domain[0] || 1)) * (x.length - 1)));
          }}
        >
          {(box) => (
            <>
              {lines.map((line, c) => {
                const d = path(line.map((v, i) => [box.x(x[i] ?? 0), box.y(v)]));
                return (
                  <g key={c}>
                    <path d={`${d}L${box.x(domain[1])} ${box.y(0)}L${box.x(domain[0])} ${box.y(0)}Z`} fill={classColour(c)} opacity={0.08} />
                    <path class="stroke" d={d} style={{ stroke: classColour(c) }} stroke-dasharray={dashes[Math.floor(c / 8) % 3]} />
                  </g>
                );
              })}
              {marked !== undefined && <line class="cursor" x1={box.x(x[marked] ?? 0)} x2={box.x(x[marked] ?? 0)} y1={box.top} y2={box.bottom} />}
              {marked !== undefined && lines.map((line, c) => <circle key={c} cx={box.x(x[marked] ?? 0)} cy={box.y(line[marked] ?? 0)} r={4} fill={classColour(c)} />)}
            </>
          )}
        </Chart>
      </div>
    </Figure>
  );
}
