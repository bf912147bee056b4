// From numbers to places in a picture.

export type Scale = (x: number) => number;
export type Domain = [number, number];

export const linear = ([a, b]: Domain, [from, to]: Domain): Scale => {
  const step = b === a ? 0 : (to - from) / (b - a);
  return (x) => from + (x - a) * step;
};

/** Round numbers within a domain, about `count` of them. */
export function ticks([a, b]: Domain, count = 5): number[] {
  const span = b - a;
  if (!(span > 0) || !Number.isFinite(span)) return [a];
  const raw = span / count;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * size).find((s) => s >= 0.7 * raw) ?? 10 * size;
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const out: number[] = [];
  for (let i = Math.ceil(a / step - 1e-9); i * step <= b + 1e-9 * span; ++i) out.push(Number((i * step).toFixed(Math.min(digits + 1, 20))));
  return out;
}

export const extent = (values: number[]): Domain => {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return low <= high ? [low, high] : [0, 1];
};

export const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));

/** The d of a path through points; null interrupts it. */
export function path(points: ([number, number] | null)[]): string {
  let out = '';
  let pen = false;
  for (const point of points) {
    if (!point || !Number.isFinite(point[0]) || !Number.isFinite(point[1])) {
      pen = false;
      continue;
    }
    out += `${pen ? 'L' : 'M'}${point[0].toFixed(1)} ${point[1].toFixed(1)}`;
    pen = true;
  }
  return out;
}
