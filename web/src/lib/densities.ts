// Densities and calibration as the engine has them, for pages that ask no server.
import type { Calibration } from './types';

/** log Γ(x) for x > 0: Lanczos' series, good to the last digits of a double. */
export function logGamma(x: number): number {
  const series = [0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const t = x + 6.5;
  const sum = series.reduce((s, c, i) => (i === 0 ? c : s + c / (x - 1 + i)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

export const logNormal = (x: number, mean: number, sd: number): number =>
  -0.5 * ((x - mean) / sd) ** 2 - Math.log(sd) - 0.5 * Math.log(2 * Math.PI);

export function logStudent(x: number, mean: number, scale: number, freedom: number): number {
  const z = (x - mean) / scale;
  return logGamma((freedom + 1) / 2) - logGamma(freedom / 2) - 0.5 * Math.log(freedom * Math.PI) - Math.log(scale)
    - ((freedom + 1) / 2) * Math.log1p((z * z) / freedom);
}

export const logSum = (logs: number[]): number => {
  const top = Math.max(...logs);
  return top === -Infinity ? top : top + Math.log(logs.reduce((s, l) => s + Math.exp(l - top), 0));
};

/** Log joints of the classes under this prior, calibrated. The evidence stays, and what is impossible stays so. */
export function calibrated(joint: Record<string, number>, logPrior: Record<string, number>, how: Calibration): Record<string, number> {
  const names = Object.keys(joint);
  const all = (of: (name: string) => number): Record<string, number> => Object.fromEntries(names.map((c) => [c, of(c)]));
  const evidence = logSum(Object.values(joint));
  if (evidence === -Infinity) return joint;
  // As they would be among the rows that it was fitted to.
  const shift = all((c) => Math.log(how.prior[c] ?? 0) - (logPrior[c] ?? 0));
  const there = all((c) => (joint[c] === -Infinity ? -Infinity : (joint[c] ?? 0) + (shift[c] ?? 0)));
  const scaled = how.method === 'isotonic' ? onCurves(there, names, how.curves ?? []) : all((c) => (how.slope ?? 1) * ((there[c] ?? 0) - evidence) + (how.bias?.[c] ?? 0));
  const back = all((c) => (there[c] === -Infinity ? -Infinity : (scaled[c] ?? 0) - (shift[c] ?? 0)));
  const total = logSum(Object.values(back));
  return all((c) => (back[c] ?? 0) - total + evidence);
}

function onCurves(logs: Record<string, number>, names: string[], curves: NonNullable<Calibration['curves']>): Record<string, number> {
  const odds = (c: string): number => (logs[c] ?? 0) - logSum(names.filter((o) => o !== c).map((o) => logs[o] ?? 0));
  if (names.length === 2) {
    const [first = '', second = ''] = names;
    if (logs[first] === -Infinity || logs[second] === -Infinity) return logs;
    const p = along(curves[0], odds(second));
    return { [first]: Math.log1p(-p), [second]: Math.log(p) };
  }
  return Object.fromEntries(names.map((c, i) => [c, logs[c] === -Infinity ? -Infinity : Math.log(along(curves[i], odds(c)))]));
}

/** Straight between points, level beyond them. */
function along(curve: { score: number[]; probability: number[] } | undefined, x: number): number {
  const { score, probability } = curve ?? { score: [], probability: [] };
  const above = score.findIndex((s) => s > x);
  if (above === 0) return probability[0] ?? 0;
  if (above < 0) return probability[probability.length - 1] ?? 0;
  const [x0 = 0, x1 = 0, p0 = 0, p1 = 0] = [score[above - 1], score[above], probability[above - 1], probability[above]];
  return p0 + ((x - x0) / (x1 - x0)) * (p1 - p0);
}
