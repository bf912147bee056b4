// The computation as on the board: every class's factors one below the other, their product, and its share of the sum.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { classColour } from '../lib/colours';
import { number, probability, written } from '../lib/format';
import type { Factor, StepsAnswer } from '../lib/types';

/** 5/14 with a bar; anything else as it is. */
export function Fraction({ text }: { text: string }): JSX.Element {
  const parts = /^(-?[\d.]+)\/([\d.]+)$/.exec(text);
  if (!parts) return <>{text}</>;
  return <span class="fraction"><span>{parts[1]}</span><span class="hidden-text">/</span><span>{parts[2]}</span></span>;
}

const exponential = (log: number | null): string => (log === null || log === -Infinity ? '0' : log < -600 ? `exp(${number(log)})` : number(Math.exp(log)));

const most = 6;

export function Board({ answer, order }: { answer: StepsAnswer; order: string[] }): JSX.Element {
  const [all, setAll] = useState(false);
  // Of many classes those that it is between.
  const many = answer.classes.length > most;
  const best = [...answer.classes].sort((a, b) => (b.posterior ?? 0) - (a.posterior ?? 0)).slice(0, most);
  const classes = many && !all ? best : answer.classes;
  const first = classes[0];
  const names = first?.factors ?? [];
  const line = (name: ComponentChildren, cell: (c: StepsAnswer['classes'][number]) => ComponentChildren, kind?: string): JSX.Element => (
    <tr class={kind}>
      <th scope="row">{name}</th>
      {classes.map((c) => <td key={c.class}>{cell(c)}</td>)}
    </tr>
  );
  return (
    <div class="scroll board" tabIndex={0} role="region" aria-label="the computation">
      <table>
        <thead>
          <tr>
            <th scope="col">factor</th>
            {classes.map((c) => (
              <th key={c.class} scope="col" style={{ borderBottomColor: classColour(order.indexOf(c.class)) }}>{c.class}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((factor, i) => line(title(factor, first?.class ?? ''), (c) => <Cell factor={c.factors[i]} />))}
          {line('product', (c) => exponential(c.log_product), 'total')}
          {line('share of the sum', (c) => <strong data-posterior={c.posterior}>{probability(c.posterior)}</strong>)}
        </tbody>
      </table>
      {many && <button type="button" class="quiet" onClick={() => setAll(!all)}>{all ? 'only the most probable' : `all ${answer.classes.length} classes`}</button>}
      <p class="fine">
        The sum of the products is P(x) = {exponential(answer.log_sum)}; each class's share of it is its posterior probability.
      </p>
    </div>
  );
}

/** P(Sunny|No) for all classes is P(Sunny|c). */
function title(factor: Factor, name: string): string {
  if (factor.column === 'prior') return 'P(c)';
  if (factor.column === 'calibration') return `calibration (${factor.value})`;
  const symbol = factor.symbol.endsWith(`|${name})`) ? `${factor.symbol.slice(0, -name.length - 1)}c)` : factor.symbol;
  return factor.unseen ? `${symbol}, never seen` : symbol;
}

function Cell({ factor }: { factor: Factor | undefined }): JSX.Element {
  if (!factor) return <>–</>;
  return (
    <>
      <Fraction text={written(factor.factor)} />
      {factor.power !== undefined && factor.power !== 1 && <sup>{number(factor.power, 3)}</sup>}
      {factor.formula && <small class="formula">{written(factor.formula)}</small>}
    </>
  );
}
