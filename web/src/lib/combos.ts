// The plane of columns that hold words: every combination is a row, and its posterior is asked for as of any row.
import { calls, type Call } from './calls';
import type { Column, How, PlaneAnswer, Prediction, Row } from './types';

const most = 40;

/** The places of a column on its axis: its values, or some numbers of its range. */
function placesOf(column: Column): (number | string)[] {
  if (column.kind === 'category') return (column.values ?? []).slice(0, most);
  const [low, high] = column.range ?? [0, 1];
  return Array.from({ length: most }, (_, i) => low + ((high - low) * i) / (most - 1));
}

export function combosCall(model: string, x: Column, y: Column, how: How): Call {
  const rows: Row[] = placesOf(y).flatMap((b) => placesOf(x).map((a) => ({ [x.name]: a, [y.name]: b })));
  return { ...calls.predict(model, {}, how), body: { rows, ...how } };
}

export function combosPlane(x: Column, y: Column, classes: string[], predictions: Prediction[]): PlaneAnswer {
  const [xs, ys] = [placesOf(x), placesOf(y)];
  const posterior = Object.fromEntries(
    classes.map((c) => [c, ys.map((_, j) => xs.map((_, i) => predictions[j * xs.length + i]?.probabilities[c] ?? null))]),
  );
  return { x: xs, y: ys, classes, log_density: {}, posterior, prior: {} };
}
