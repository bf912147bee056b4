// The values of a category: a bar for every class, side by side.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { classColour } from '../lib/colours';
import { grouped, probability } from '../lib/format';
import type { ByClass, ColumnAnswer } from '../lib/types';
import { ClassName, Key } from './bars';
import { Figure } from './figure';

// Of more values the most probable ones stand first, and the others are folded away.
const few = 12;
const most = 24;

export function ValueBars({ answer, prior }: { answer: ColumnAnswer; prior?: ByClass }): JSX.Element {
  const [all, setAll] = useState(false);
  const table = answer.table ?? [];
  const classes = answer.classes;
  const share = (row: { probability: ByClass }, name: string): number => (row.probability[name] ?? 0) * (prior ? (prior[name] ?? 0) : 1);
  const counted = table.some((row) => row.count);
  const sum = (row: { probability: ByClass }): number => classes.reduce((total, name) => total + share(row, name), 0);
  const order = table.length > few ? [...table].sort((a, b) => sum(b) - sum(a)) : table;
  const shown = all ? order : order.slice(0, most);
  return (
    <Figure
      caption={counted ? 'Beside each probability, how often the value was seen in the class: with little seen, the prior speaks.' : undefined}
      table={{
        head: [answer.column, ...classes],
        rows: table.map((row) => [String(row.value), ...classes.map((c) => probability(share(row, c)))]),
      }}
    >
      <Key classes={classes} />
      <ul class="value-bars">
        {shown.map((row) => (
          <li key={row.value}>
            <h3>{row.value}</h3>
            <ul>
              {classes.map((name, i) => (
                <li key={name} data-value={share(row, name)}>
                  <span class="hidden-text"><ClassName name={name} index={i} /></span>
                  <span class="track" aria-hidden="true"><span class="bar" style={{ width: `${100 * share(row, name)}%`, background: classColour(i) }} /></span>
                  <span class="figure-number">{probability(share(row, name))}</span>
                  {counted && <span class="count">{grouped(row.count?.[name])}</span>}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {table.length > most && <button type="button" class="quiet" onClick={() => setAll(!all)}>{all ? 'fewer' : `all ${table.length} values`}</button>}
    </Figure>
  );
}
