// A log density between the places it is known at.

/** The cubic through the four nearest places (exact for a normal density, whose logarithm is a parabola), or the step below. */
export function between(xs: number[], ys: (number | null)[], x: number, how: 'smooth' | 'steps'): number | null {
  const n = xs.length;
  if (n === 0) return null;
  let i = 0;
  let end = n - 1;
  while (end - i > 1) {
    const middle = (i + end) >> 1;
    if ((xs[middle] ?? 0) <= x) i = middle;
    else end = middle;
  }
  if ((xs[n - 1] ?? 0) <= x && how === 'steps') i = n - 1;
  if (how === 'steps' || n < 4) return ys[i] ?? null;
  const from = Math.min(Math.max(i - 1, 0), n - 4);
  let sum = 0;
  for (let a = from; a < from + 4; ++a) {
    const y = ys[a];
    // Next to a place of density 0 there is no parabola: the nearer end decides.
    if (y === null || y === undefined) return ys[x - (xs[i] ?? 0) > (xs[i + 1] ?? 0) - x ? i + 1 : i] ?? null;
    let weight = 1;
    for (let b = from; b < from + 4; ++b) if (b !== a) weight *= (x - (xs[b] ?? 0)) / ((xs[a] ?? 0) - (xs[b] ?? 0));
    sum += weight * y;
  }
  return sum;
}
