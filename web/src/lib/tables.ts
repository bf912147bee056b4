// Log densities from what the server says of a column: what an interactive report computes with.
import { between } from './between';
import { logNormal, logStudent } from './densities';
import type { ByClass, Column, ColumnAnswer, ModelAnswer, Value } from './types';

export interface Evidence {
  /** Places to show and to try: of words every value. */
  values: (number | string)[];
  /** log P(value | class) as often as the column is trusted, -Infinity for 0; nothing for a word never seen. */
  at: (value: Value, name: string) => number | undefined;
}

// Counts are known at whole numbers alone.
const counted = /^(poisson|negative_binomial|multinomial)/;

/** The evidence of a column; none where it holds texts or is modelled together with others. */
export function evidenceOf(column: Column, model: ModelAnswer, answer: ColumnAnswer | undefined): Evidence | undefined {
  if (!answer || model.schema.columns.some((other) => other !== column && other.block === column.block)) return undefined;
  const trust = column.trust ?? 1;
  const found = answer.table ? ofWords(answer.table) : (ofParameters(column, model, answer) ?? ofCurve(column, answer));
  if (!found) return undefined;
  return {
    values: found.values,
    at: (value, name) => {
      const log = found.at(value, name);
      return log === undefined ? undefined : trust === 0 ? 0 : log === -Infinity ? log : trust * log;
    },
  };
}

function ofWords(table: NonNullable<ColumnAnswer['table']>): Evidence {
  // A value may be written as a number or as a word.
  const rows = new Map(table.map((row) => [String(row.value), row.probability]));
  return {
    values: table.map((row) => row.value),
    at: (value, name) => {
      const row = rows.get(String(value));
      return row && Math.log(row[name] ?? 0);
    },
  };
}

/** Normal and Student's t densities, from their parameters. */
function ofParameters(column: Column, model: ModelAnswer, { curve, zero }: ColumnAnswer): Evidence | undefined {
  const table = model.columns[column.block]?.table ?? {};
  const [mean, sd, scale, freedom] = [table['mean'], table['sd'], table['scale'], table['degrees of freedom']];
  if (!column.family.startsWith('gaussian') || !curve || !mean || !(sd ?? (scale && freedom))) return undefined;
  const of = (row: ByClass | undefined, name: string): number => row?.[name] ?? NaN;
  const density = (x: number, name: string): number =>
    sd ? logNormal(x, of(mean, name), of(sd, name)) : logStudent(x, of(mean, name), of(scale, name), of(freedom, name));
  return {
    values: curve.x,
    at: (value, name) => {
      const x = Number(value);
      if (!zero) return density(x, name);
      const share = zero[name] ?? 0;
      return x === 0 ? Math.log(share) : share === 1 ? -Infinity : Math.log1p(-share) + density(x, name);
    },
  };
}

/** Other densities, between the places that they are known at. */
function ofCurve(column: Column, { classes, curve, zero }: ColumnAnswer): Evidence | undefined {
  if (!curve) return undefined;
  const how = curve.steps || counted.test(column.family) ? 'steps' : 'smooth';
  const logs = new Map(classes.map((name) => [name, (curve.density[name] ?? []).map((p) => (p ? Math.log(p) : null))]));
  return {
    values: curve.x,
    at: (value, name) => {
      if (zero && Number(value) === 0) return Math.log(zero[name] ?? 0);
      return between(curve.x, logs.get(name) ?? [], Number(value), how) ?? -Infinity;
    },
  };
}
