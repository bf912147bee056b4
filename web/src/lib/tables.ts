// Log densities from what the server says of a column: what an interactive report computes with.
import type { Column, ColumnAnswer } from './types';

export interface Evidence {
  /** exact: only these values exist; smooth: values between are interpolated; steps: a value counts as the last one not above it. */
  between: 'exact' | 'smooth' | 'steps';
  values: (number | string)[];
  /** For every class, log P(value | class), times the column's weight; null is log 0. */
  log_density: Record<string, (number | null)[]>;
}

// Families whose densities jump.
const jumping = /^(histogram|poisson|negative_binomial|multinomial)/;

/** The table of a column; none where it holds texts or is modelled together with others. */
export function evidenceOf(column: Column, columns: Column[], answer: ColumnAnswer | undefined): Evidence | undefined {
  if (!answer || columns.some((other) => other !== column && other.block === column.block)) return undefined;
  const weight = column.weight ?? 1;
  const log = (p: number | null | undefined): number | null => (p ? weight * Math.log(p) : null);
  const of = (densities: (name: string) => (number | null | undefined)[]): Evidence['log_density'] =>
    Object.fromEntries(answer.classes.map((c) => [c, densities(c).map(log)]));
  if (answer.curve) {
    const { x, density } = answer.curve;
    return { between: jumping.test(column.family) ? 'steps' : 'smooth', values: x, log_density: of((c) => density[c] ?? []) };
  }
  if (!answer.table) return undefined;
  const { table } = answer;
  return { between: 'exact', values: table.map((row) => row.value), log_density: of((c) => table.map((row) => row.probability[c])) };
}
