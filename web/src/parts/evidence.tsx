// The weight of evidence, column by column: bars to the right speak for a class, to the left against it.
import type { JSX } from 'preact';
import { nats } from '../lib/format';
import type { ExplainAnswer } from '../lib/types';

interface Props {
  answer: ExplainAnswer;
  most?: number;
  /** What weights are of models without densities: differences of scores. */
  scores?: boolean;
}

export function Evidence({ answer, most = 20, scores }: Props): JSX.Element {
  // In their order, for a value may be told "given those above"; of many, those that say most.
  const size = (weight: number | null): number => Math.abs(weight ?? 0);
  const least = answer.evidence.map((term) => size(term.weight)).sort((a, b) => b - a)[most] ?? -1;
  const shown = answer.evidence.filter((term) => term.column === 'prior' || size(term.weight) > least);
  const largest = Math.max(1, ...shown.map((term) => Math.min(Math.abs(term.weight ?? 0), 50)));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="weights of evidence">
      <table class="evidence">
        <caption>{scores ? `score for ${answer.class} less that for ${answer.against}` : `log P(·|${answer.class}) / P(·|${answer.against})`}, in nats</caption>
        <thead class="hidden-text">
          <tr><th scope="col">column</th><th scope="col">against and for</th><th scope="col">weight</th></tr>
        </thead>
        <tbody>
          {shown.map((term, i) => {
            const weight = term.weight ?? 0;
            const width = `${(50 * Math.min(Math.abs(weight), largest)) / largest}%`;
            return (
              <tr key={i}>
                <th scope="row">{term.column}{term.value !== '' && <em> {term.value}</em>}</th>
                <td class="diverging" aria-hidden="true">
                  <span class={weight < 0 ? 'left' : 'right'} style={{ width }} />
                </td>
                <td>{nats(term.weight)}</td>
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr><th scope="row">sum: log-odds</th><td /><td data-sum={answer.log_odds}>{nats(answer.log_odds)}</td></tr>
        </tfoot>
      </table>
    </div>
  );
}
