// From some rows of a table to the next ones.
import type { JSX } from 'preact';
import { grouped } from '../lib/format';

interface Props {
  from: number;
  count: number;
  total: number;
  go: (from: number) => void;
}

/** Nothing where all rows are there. */
export function Pager({ from, count, total, go }: Props): JSX.Element | null {
  if (total <= count) return null;
  return (
    <p class="buttons" role="group" aria-label="more rows">
      <button type="button" disabled={from === 0} onClick={() => go(Math.max(0, from - count))}>Earlier</button>
      <span class="fine">{grouped(from + 1)} to {grouped(Math.min(from + count, total))} of {grouped(total)} rows</span>
      <button type="button" disabled={from + count >= total} onClick={() => go(from + count)}>Later</button>
    </p>
  );
}
