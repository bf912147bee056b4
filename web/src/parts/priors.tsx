// Priors as sliders: one moves, the others give way in proportion.
import type { JSX } from 'preact';
import { classColour } from '../lib/colours';
import { probability } from '../lib/format';
import type { ByClass } from '../lib/types';
import { ClassName } from './bars';

interface Props {
  classes: string[];
  prior: ByClass;
  change: (prior: ByClass) => void;
}

/** The prior with one class at p: the others share the rest as before. */
export function withPrior(prior: ByClass, name: string, p: number): ByClass {
  const names = Object.keys(prior);
  const rest = names.filter((n) => n !== name).reduce((sum, n) => sum + (prior[n] ?? 0), 0);
  const share = (n: string): number => (rest > 0 ? (prior[n] ?? 0) / rest : 1 / (names.length - 1));
  return Object.fromEntries(names.map((n) => [n, n === name ? p : (1 - p) * share(n)]));
}

export function PriorSliders({ classes, prior, change }: Props): JSX.Element {
  return (
    <ul class="priors" aria-label="prior probabilities">
      {classes.slice(0, 30).map((name, i) => (
        <li key={name}>
          <ClassName name={name} index={i} />
          <input
            type="range"
            min={0.001}
            max={0.999}
            step={0.001}
            value={prior[name] ?? 0}
            aria-label={`prior of ${name}`}
            aria-valuetext={probability(prior[name])}
            style={{ '--at': `${100 * (prior[name] ?? 0)}%`, '--colour': classColour(i) }}
            onInput={(event) => change(withPrior(prior, name, event.currentTarget.valueAsNumber))}
          />
          <span class="figure-number">{probability(prior[name])}</span>
        </li>
      ))}
    </ul>
  );
}
