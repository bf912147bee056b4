// What mistakes cost, and from which probability on a label is given at all.
import type { JSX } from 'preact';
import { number } from '../lib/format';
import type { Prediction } from '../lib/types';
import { Range } from './controls';

/** What goes along with a prediction: costs[truth][decision], and the least probability of a label. */
export interface Deciding {
  costs?: Record<string, Record<string, number>>;
  reject?: number;
}

interface Props {
  classes: string[];
  deciding: Deciding;
  change: (deciding: Deciding) => void;
  prediction: Prediction | undefined;
  live: boolean;
}

export const unitCosts = (classes: string[]): Record<string, Record<string, number>> =>
  Object.fromEntries(classes.map((t) => [t, Object.fromEntries(classes.map((d) => [d, t === d ? 0 : 1]))]));

export function Costs({ classes, deciding, change, prediction, live }: Props): JSX.Element | null {
  if (!live) return null;
  const set = (reject: number): void => {
    const next = { ...deciding };
    if (reject > 0) next.reject = reject;
    else delete next.reject;
    change(next);
  };
  return (
    <details class="costs">
      <summary>Costs and reject</summary>
      <Range label="No label below" name="reject" min={0} max={1} step={0.01} value={deciding.reject ?? 0} shown={(deciding.reject ?? 0).toFixed(2)} change={set} />
      {classes.length <= 6 && (
        <CostTable
          classes={classes}
          costs={deciding.costs ?? unitCosts(classes)}
          change={(costs) => change({ ...deciding, costs })}
        />
      )}
      {deciding.costs && (
        <button type="button" class="quiet" onClick={() => { const next = { ...deciding }; delete next.costs; change(next); }}>every mistake costs the same</button>
      )}
      {deciding.costs && prediction?.expected_cost !== undefined && <p class="fine">Expected cost: {expected(prediction)}</p>}
    </details>
  );
}

function expected(prediction: Prediction): string {
  const cost = prediction.expected_cost;
  if (typeof cost === 'object' && cost) return Object.entries(cost).map(([d, c]) => `${d} ${number(c)}`).join(', ');
  return number(cost ?? null);
}

interface TableProps {
  classes: string[];
  costs: Record<string, Record<string, number>>;
  change: (costs: Record<string, Record<string, number>>) => void;
}

export function CostTable({ classes, costs, change }: TableProps): JSX.Element {
  const set = (truth: string, decision: string, cost: number): void =>
    change({ ...costs, [truth]: { ...costs[truth], [decision]: Number.isFinite(cost) ? Math.max(0, cost) : 0 } });
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="costs">
      <table class="cost-table">
        <thead>
          <tr><th scope="col">truth ↓ decision →</th>{classes.map((d) => <th key={d} scope="col">{d}</th>)}</tr>
        </thead>
        <tbody>
          {classes.map((t) => (
            <tr key={t}>
              <th scope="row">{t}</th>
              {classes.map((d) => (
                <td key={d}>
                  <input type="number" min={0} step="any" aria-label={`cost of ${d} where it is ${t}`} value={costs[t]?.[d] ?? 0} onInput={(event) => set(t, d, event.currentTarget.valueAsNumber)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
