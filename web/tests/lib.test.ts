// What the page does compute, without a browser.
import { expect, test } from '@playwright/test';
import { between } from '../src/lib/between';
import { curlLine } from '../src/lib/calls';
import { contour } from '../src/lib/contour';
import { nats, probability } from '../src/lib/format';
import { marks } from '../src/lib/marks';
import { contours } from '../src/lib/plane_lines';
import { ticks } from '../src/lib/scale';

test('a parabola is met exactly between its places', () => {
  const xs = Array.from({ length: 9 }, (_, i) => i / 2 - 2);
  const f = (x: number): number => -0.5 * ((x - 0.3) / 0.7) ** 2 - 1.1;
  for (const x of [-2.4, -1.97, -0.01, 0.3, 1.9, 2.3]) expect(between(xs, xs.map(f), x, 'smooth')).toBeCloseTo(f(x), 12);
});

test('steps keep their value until the next place', () => {
  const at = (x: number): number | null => between([0, 1, 2], [-1, null, -3], x, 'steps');
  expect([at(-1), at(0), at(0.99), at(1.5), at(2), at(9)]).toEqual([-1, -1, -1, null, -3, -3]);
});

test('beside a density of 0 the nearer place decides', () => {
  expect(between([0, 1, 2, 3], [-1, null, -3, -4], 0.2, 'smooth')).toBe(-1);
  expect(between([0, 1, 2, 3], [-1, null, -3, -4], 0.8, 'smooth')).toBe(null);
});

test('a circle has a contour of points at its radius', () => {
  const grid = Array.from({ length: 21 }, (_, j) => Array.from({ length: 21 }, (_, i) => Math.hypot(i - 10, j - 10)));
  const line = contour(grid, 6);
  expect(line.length).toBeGreaterThan(20);
  for (const [x = 0, y = 0] of line) expect(Math.hypot(x - 10, y - 10)).toBeCloseTo(6, 1);
});

test('the decision changes where the posteriors say so, which calibration moves away from where the densities cross', () => {
  const xs = Array.from({ length: 21 }, (_, i) => i);
  const plane = (f: (x: number) => number): number[][] => [0, 1, 2].map(() => xs.map(f));
  const p = (x: number): number => 1 / (1 + Math.exp(-(x - 7.3)));
  const { decision } = contours({
    x: xs, y: [0, 1, 2], classes: ['a', 'b'], prior: { a: 0.5, b: 0.5 },
    log_density: { a: plane((x) => -x), b: plane((x) => x - 24) },
    posterior: { a: plane((x) => 1 - p(x)), b: plane(p) },
  });
  expect(decision.length).toBeGreaterThan(0);
  for (const [x1 = 0, , x2 = 0] of decision.flat()) for (const x of [x1, x2]) expect(x).toBeCloseTo(7.3, 6);
});

test('a token of two words gives half of its weight to each, places being bytes', () => {
  const pieces = marks('Für us now', [
    { start: 0, end: 4, weight: 1 },
    { start: 0, end: 7, weight: 0.5 },
    { start: 5, end: 7, weight: -2 },
  ]);
  expect(pieces.map((p) => p.text).join('')).toBe('Für us now');
  expect(pieces.find((p) => p.text === 'Für')?.weight).toBeCloseTo(1.25, 12);
  expect(pieces.find((p) => p.text === 'us')?.weight).toBeCloseTo(-1.75, 12);
  expect(pieces.find((p) => p.text.includes('now'))?.weight).toBe(0);
});

test('numbers are written so that people read them', () => {
  expect([0, 1, 0.5, 0.00012, 0.99998, null].map(probability)).toEqual(['0', '1', '0.500', '1.2·10⁻⁴', '1 − 2.0·10⁻⁵', '–']);
  expect([0.8675, -2, 0, -Infinity, 250.4].map(nats)).toEqual(['+0.87', '−2.00', '0.00', '−∞', '+250']);
  expect(ticks([0.02, 0.95], 4)).toEqual([0.2, 0.4, 0.6, 0.8]);
});

test('a line for a shell keeps quotes as they are', () => {
  const line = curlLine({ method: 'POST', path: '/v1/models/a/predict', body: { row: { text: "it's" } } }, 'http://127.0.0.1:8080');
  expect(line).toBe(`curl -s 'http://127.0.0.1:8080/v1/models/a/predict' -H 'Content-Type: application/json' -d '{"row":{"text":"it'\\''s"}}'`);
});
