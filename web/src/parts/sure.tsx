// Whether probabilities mean what they say, and what it brings to answer only when sure.
import type { JSX } from 'preact';
import { grouped, percent, probability } from '../lib/format';
import { path } from '../lib/scale';
import type { JudgeAnswer } from '../lib/types';
import { Chart } from './chart';
import { Figure } from './figure';

export function Reliability({ data }: { data: JudgeAnswer }): JSX.Element {
  const bins = data.curves.reliability.filter((b) => b.n > 0);
  const most = Math.max(1, ...bins.map((b) => b.n));
  return (
    <Figure
      title="Reliability"
      caption="Of rows said to be right with probability p, the share that is; on the line, probabilities mean what they say. Larger dots are more rows."
      table={{ head: ['said', 'right', 'rows'], rows: bins.map((b) => [probability(b.p), probability(b.observed), grouped(b.n)]) }}
    >
      <Chart x={{ domain: [0, 1], label: 'probability said', ticks: 4 }} y={{ domain: [0, 1], label: 'share that is right' }} height={300} label="reliability diagram">
        {(box) => (
          <>
            <line class="chance" x1={box.x(0)} y1={box.y(0)} x2={box.x(1)} y2={box.y(1)} />
            <path class="stroke accent thin" d={path(bins.map((b) => [box.x(b.p), box.y(b.observed)]))} />
            {bins.map((b) => <circle key={b.p} class="accent-dot" cx={box.x(b.p)} cy={box.y(b.observed)} r={3 + 6 * Math.sqrt(b.n / most)} />)}
          </>
        )}
      </Chart>
    </Figure>
  );
}

export function Reject({ data }: { data: JudgeAnswer }): JSX.Element {
  const points = data.curves.reject.filter((p) => p.error !== null);
  const highest = Math.max(0.02, ...points.map((p) => p.error ?? 0));
  return (
    <Figure
      title="Reject"
      caption="Answering only where the label is probable enough: how many rows are answered, and the share of these answers that is wrong."
      table={{ head: ['threshold', 'answered', 'wrong'], rows: points.map((p) => [p.threshold, percent(p.answered), percent(p.error)]) }}
    >
      <Chart x={{ domain: [0, 1], label: 'share of rows answered', ticks: 4 }} y={{ domain: [0, highest * 1.1], label: 'share of answers wrong' }} height={300} label="error by share of rows answered">
        {(box) => (
          <>
            <path class="stroke accent" d={path(points.map((p) => [box.x(p.answered), box.y(p.error ?? 0)]))} />
            {points.length < 40 && points.map((p) => <circle key={p.threshold} class="accent-dot" cx={box.x(p.answered)} cy={box.y(p.error ?? 0)} r={3.5} />)}
          </>
        )}
      </Chart>
    </Figure>
  );
}
