// A probability for every class: a bar, and the number.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { classColour } from '../lib/colours';
import { probability } from '../lib/format';
import type { ByClass } from '../lib/types';

/** The square of a class's colour, with its name. */
export function ClassName({ name, index }: { name: string; index: number }): JSX.Element {
  return (
    <span class="class-name">
      <i class="swatch" style={{ background: classColour(index) }} aria-hidden="true" />
      {name}
    </span>
  );
}

/** Which colour is whose. */
export function Key({ classes }: { classes: string[] }): JSX.Element {
  return (
    <ul class="key" aria-label="classes">
      {classes.map((name, i) => <li key={name}><ClassName name={name} index={i} /></li>)}
    </ul>
  );
}

interface Props {
  classes: string[];
  values: ByClass;
  label: string;
  /** A second value, drawn as a thin line: what it was before. */
  before?: ByClass;
  most?: number;
}

export function Bars({ classes, values, label, before, most = 8 }: Props): JSX.Element {
  const [all, setAll] = useState(false);
  const order = classes.map((name, i) => ({ name, i, p: values[name] ?? 0 }));
  const many = classes.length > most;
  if (many) order.sort((a, b) => b.p - a.p);
  const shown = many && !all ? order.slice(0, most) : order;
  return (
    <div class="bars">
      <ul aria-label={label}>
        {shown.map(({ name, i, p }) => (
          <li key={name} data-class={name} data-value={values[name]}>
            <ClassName name={name} index={i} />
            <span class="track" aria-hidden="true">
              <span class="bar" style={{ width: `${100 * p}%`, background: classColour(i) }} />
              {before && <span class="was" style={{ left: `${100 * (before[name] ?? 0)}%` }} />}
            </span>
            <span class="figure-number">{probability(values[name])}</span>
          </li>
        ))}
      </ul>
      {many && (
        <button type="button" class="quiet" onClick={() => setAll(!all)}>
          {all ? 'only the most probable' : `all ${classes.length} classes`}
        </button>
      )}
    </div>
  );
}
