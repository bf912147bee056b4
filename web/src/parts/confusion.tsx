// The confusion table; every cell is a button that shows its rows.
import type { JSX } from 'preact';
import { grouped } from '../lib/format';

interface Props {
  labels: string[];
  counts: number[][];
  chosen: { truth: string; label: string } | undefined;
  choose: (cell: { truth: string; label: string }) => void;
}

export function Confusion({ labels, counts, chosen, choose }: Props): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="confusion table">
      <table class={`confusion${labels.length > 6 ? ' many' : ''}${labels.length > 15 ? ' crowd' : ''}`}>
        <thead><tr><th scope="col"><span class="hidden-text">truth by decision</span></th>{labels.map((l) => <th key={l} scope="col" title={l}><span>{l}</span></th>)}</tr></thead>
        <tbody>
          {labels.slice(0, counts.length).map((truth, i) => {
            const row = counts[i] ?? [];
            const sum = row.reduce((a, b) => a + b, 0) || 1;
            return (
              <tr key={truth}>
                <th scope="row">{truth}</th>
                {labels.map((label, j) => {
                  const n = row[j] ?? 0;
                  const share = n / sum;
                  const on = chosen?.truth === truth && chosen.label === label;
                  return (
                    <td key={label}>
                      <button
                        type="button"
                        class={i === j ? 'right' : 'mistake'}
                        style={{ '--share': `${Math.round(n ? 8 + 62 * share : 0)}%` }}
                        disabled={n === 0}
                        aria-pressed={on}
                        aria-label={`${n} rows of ${truth} taken for ${label}`}
                        data-count={n}
                        onClick={() => choose({ truth, label })}
                      >
                        {n === 0 && labels.length > 15 ? '·' : grouped(n)}
                      </button>
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
