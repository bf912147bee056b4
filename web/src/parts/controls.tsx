// Rule, prior and other settings that several views have.
import type { ComponentChildren, JSX } from 'preact';
import { priorName, setPrior, useHow, useShared } from '../lib/state';
import { setParams } from '../lib/route';
import { probability } from '../lib/format';
import { useEngine } from '../lib/engine';

interface SelectProps {
  label: string;
  value: string;
  options: (string | [value: string, name: string])[];
  change: (value: string) => void;
}

export function Select({ label, value, options, change }: SelectProps): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        {options.map((option) => {
          const [v, name] = typeof option === 'string' ? [option, option] : option;
          return <option key={v} value={v} selected={v === value}>{name}</option>;
        })}
      </select>
    </label>
  );
}

interface RangeProps {
  label: ComponentChildren;
  value: number;
  min: number;
  max: number;
  step: number | 'any';
  shown: string;
  change: (value: number) => void;
  name?: string;
}

export function Range({ label, value, min, max, step, shown, change, name }: RangeProps): JSX.Element {
  return (
    <label class="field range">
      <span>{label}</span>
      <input
        type="range"
        name={name}
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={shown}
        onInput={(event) => change(Number(event.currentTarget.value))}
      />
      <output>{shown}</output>
    </label>
  );
}

export function Switch({ label, on, change }: { label: string; on: boolean; change: (on: boolean) => void }): JSX.Element {
  return (
    <label class="switch">
      <input type="checkbox" role="switch" checked={on} aria-checked={on} onChange={(event) => change(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

const rules = ['mle', 'unbiased', 'm-estimate=1', 'laplace=1', 'map', 'bayes'];

/** The rule parameters are read by, and the prior of the classes. */
export function HowControls({ prior = true }: { prior?: boolean }): JSX.Element | null {
  const engine = useEngine();
  const { model } = useShared();
  const how = useHow();
  if (!engine.live || model.logistic) return null;
  const own = model.rule;
  const rule = how.rule ?? '';
  const listed = rule && !rules.includes(rule) ? [...rules, rule] : rules;
  const given = typeof how.prior === 'object' ? 'own' : (how.prior ?? '');
  const priors: [string, string][] = [['', `${priorName(model)} (model's)`], ['empirical', 'empirical'], ['uniform', 'uniform']];
  if (given === 'own') priors.push(['own', 'as dragged']);
  return (
    <div class="controls" role="group" aria-label="how the model is read">
      <Select
        label="Rule"
        value={rule}
        options={[['', `${own} (model's)`], ...listed.map((name): [string, string] => [name, name])]}
        change={(name) => setParams({ rule: name || undefined })}
      />
      {prior && (
        <Select
          label="Prior"
          value={given}
          options={priors}
          change={(name) => name !== 'own' && setPrior((name || undefined) as 'uniform' | undefined)}
        />
      )}
    </div>
  );
}

/** Probabilities as an accessible sentence: "No 0.688, Yes 0.312". */
export function inWords(values: Record<string, number | null>): string {
  return Object.entries(values)
    .sort((a, b) => (b[1] ?? 0) - (a[1] ?? 0))
    .slice(0, 8)
    .map(([name, p]) => `${name} ${probability(p)}`)
    .join(', ');
}
