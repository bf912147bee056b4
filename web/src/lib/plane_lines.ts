// What is drawn over a plane of two columns: lines of equal density, and where the decision changes.
import { contour } from './contour';
import type { PlaneAnswer } from './types';

/** Lines of equal density for every class (half, two and four and a half nats below its peak), and where one class overtakes all others. */
export function contours(answer: PlaneAnswer): { density: number[][][][]; decision: number[][][] } {
  const grids = answer.classes.map((c) => (answer.log_density[c] ?? []).map((row) => row.map((v) => v ?? -1e300)));
  const density = grids.map((grid) => {
    const peak = Math.max(...grid.flat());
    return [0.5, 2, 4.5].map((drop) => contour(grid, peak - drop));
  });
  // By the posteriors, as the colours are: a calibrated model decides elsewhere than its densities would.
  const posteriors = answer.classes.map((c) => (answer.posterior[c] ?? []).map((row) => row.map((v) => Math.log(Math.max(v ?? 0, 1e-300)))));
  const decision = posteriors.flatMap((mine, a) => posteriors.slice(a + 1).map((other, b) => border(posteriors, mine, other, [a, a + 1 + b])));
  return { density, decision };
}

/** Where two classes are as probable as each other and more so than all others. */
function border(scores: number[][][], mine: number[][], other: number[][], pair: number[]): number[][] {
  const lead = mine.map((row, j) => row.map((v, i) => v - (other[j]?.[i] ?? 0)));
  return contour(lead, 0).filter(([x1 = 0, y1 = 0, x2 = 0, y2 = 0]) => {
    const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
    const here = valueAt(mine, x, y);
    return scores.every((grid, k) => pair.includes(k) || valueAt(grid, x, y) <= here);
  });
}

/** A grid between its places. */
function valueAt(grid: number[][], x: number, y: number): number {
  const [i, j] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [x - i, y - j];
  const at = (di: number, dj: number): number => grid[Math.min(j + dj, grid.length - 1)]?.[i + di] ?? grid[j]?.[i] ?? 0;
  return (1 - v) * ((1 - u) * at(0, 0) + u * at(1, 0)) + v * ((1 - u) * at(0, 1) + u * at(1, 1));
}
