// One class against the rest: a threshold to drag, on the ROC curve and on the curve of costs.
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { classColour } from '../lib/colours';
import { grouped, number, probability } from '../lib/format';
import { clamp, path } from '../lib/scale';
import type { JudgeAnswer } from '../lib/types';
import { Chart, under } from './chart';
import { Range, Select } from './controls';
import { Figure } from './figure';

interface Counts {
  hits: number;
  misses: number;
  alarms: number;
  quiet: number;
}

type Scores = JudgeAnswer['curves']['scores'][string];

/** What a threshold does to rows: the class from p >= t on, and only then. */
export function countsAt(scores: Scores, t: number): Counts {
  const out: Counts = { hits: 0, misses: 0, alarms: 0, quiet: 0 };
  for (const { p, positives, negatives } of scores) {
    out[p >= t ? 'hits' : 'misses'] += positives;
    out[p >= t ? 'alarms' : 'quiet'] += negatives;
  }
  return out;
}

const steps = 100;

export function Threshold({ data, classes }: { data: JudgeAnswer; classes: string[] }): JSX.Element | null {
  const names = classes.filter((c) => data.curves.scores[c]?.length);
  const [name, setName] = useState(names.at(-1) ?? '');
  const [t, setT] = useState(0.5);
  const [alarm, setAlarm] = useState(1);
  const [miss, setMiss] = useState(1);
  const scores = data.curves.scores[name] ?? [];
  const roc = data.curves.roc[name];
  const weight = useMemo(() => Math.max(1, scores.reduce((sum, s) => sum + s.positives + s.negatives, 0)), [scores]);
  const costs = useMemo(
    () => Array.from({ length: steps + 1 }, (_, i) => {
      const c = countsAt(scores, i / steps);
      return (c.alarms * alarm + c.misses * miss) / weight;
    }),
    [scores, weight, alarm, miss],
  );
  if (!roc || !name) return null;
  const now = countsAt(scores, t);
  const [fpr, tpr] = [now.alarms / Math.max(1, now.alarms + now.quiet), now.hits / Math.max(1, now.hits + now.misses)];
  const colour = classColour(classes.indexOf(name));
  const least = costs.indexOf(Math.min(...costs)) / steps;
  const highest = Math.max(...costs, 1e-9);
  return (
    <section aria-label="threshold">
      <h2>A threshold for {name}</h2>
      <div class="controls">
        <Select label="Class" value={name} options={names} change={setName} />
        <Range label={`${name} from P =`} name="threshold" min={0} max={1} step={0.01} value={t} shown={t.toFixed(2)} change={setT} />
        <NumberBox label="a false alarm costs" value={alarm} change={setAlarm} />
        <NumberBox label="a miss costs" value={miss} change={setMiss} />
        <button type="button" class="quiet" onClick={() => setT(least)}>cheapest: {least.toFixed(2)}</button>
      </div>
      <p aria-live="polite" class="counts">
        {grouped(now.hits)} hits, {grouped(now.misses)} misses, {grouped(now.alarms)} false alarms, {grouped(now.quiet)} rightly passed;
        mean cost {number((now.alarms * alarm + now.misses * miss) / weight)}
      </p>
      <div class="halves">
        <Figure title="ROC" table={{ head: ['threshold', 'false alarms', 'hits'], rows: roc.fpr.map((f, i) => [probability(roc.threshold[i]), probability(f), probability(roc.tpr[i])]) }}>
          <Chart
            x={{ domain: [0, 1], label: 'share of others taken for it', ticks: 4 }}
            y={{ domain: [0, 1], label: 'share of it found' }}
            height={320}
            label={`ROC curve of ${name}: at threshold ${t.toFixed(2)}, ${probability(tpr)} found and ${probability(fpr)} false alarms`}
            drag
            pointer={(event, box) => {
              const [x, y] = under(event, box, [0, 1], [0, 1]);
              setT(clamp(nearestThreshold(scores, x, y), 0, 1));
            }}
          >
            {(box) => (
              <>
                <line class="chance" x1={box.x(0)} y1={box.y(0)} x2={box.x(1)} y2={box.y(1)} />
                <path class="stroke" d={path(roc.fpr.map((f, i) => [box.x(f), box.y(roc.tpr[i] ?? 0)]))} style={{ stroke: colour }} />
                <circle class="handle" cx={box.x(fpr)} cy={box.y(tpr)} r={7} />
              </>
            )}
          </Chart>
        </Figure>
        <Figure title="Cost" table={{ head: ['threshold', 'mean cost'], rows: costs.filter((_, i) => i % 5 === 0).map((c, i) => [(i / 20).toFixed(2), number(c)]) }}>
          <Chart
            x={{ domain: [0, 1], label: 'threshold', ticks: 4 }}
            y={{ domain: [0, highest * 1.05], label: 'mean cost' }}
            height={320}
            label={`mean cost by threshold, least at ${least.toFixed(2)}`}
            drag
            pointer={(event, box) => setT(clamp(Math.round(100 * under(event, box, [0, 1], [0, 1])[0]) / 100, 0, 1))}
          >
            {(box) => (
              <>
                <path class="stroke accent" d={path(costs.map((c, i) => [box.x(i / steps), box.y(c)]))} />
                <line class="cursor" x1={box.x(t)} x2={box.x(t)} y1={box.top} y2={box.bottom} />
                <circle class="handle" cx={box.x(t)} cy={box.y(costs[Math.round(t * steps)] ?? 0)} r={7} />
              </>
            )}
          </Chart>
        </Figure>
      </div>
    </section>
  );
}

/** The threshold, in hundredths, whose place on the curve is nearest to a point. */
function nearestThreshold(scores: Scores, x: number, y: number): number {
  let best = 0.5;
  let least = Infinity;
  for (let i = 0; i <= steps; ++i) {
    const c = countsAt(scores, i / steps);
    const far = (c.alarms / Math.max(1, c.alarms + c.quiet) - x) ** 2 + (c.hits / Math.max(1, c.hits + c.misses) - y) ** 2;
    if (far < least) [best, least] = [i / steps, far];
  }
  return best;
}

function NumberBox({ label, value, change }: { label: string; value: number; change: (value: number) => void }): JSX.Element {
  return (
    <label class="field small">
      <span>{label}</span>
      <input type="number" min={0} step="any" value={value} onInput={(event) => change(Math.max(0, event.currentTarget.valueAsNumber || 0))} />
    </label>
  );
}
