// Marching squares: the line where a grid of numbers crosses a level, as segments [x1, y1, x2, y2] in places of the grid.

export function contour(grid: number[][], level: number): number[][] {
  const out: number[][] = [];
  for (let j = 0; j + 1 < grid.length; ++j) {
    const low = grid[j] ?? [];
    const high = grid[j + 1] ?? [];
    for (let i = 0; i + 1 < low.length; ++i) {
      const cell = [low[i] ?? 0, low[i + 1] ?? 0, high[i + 1] ?? 0, high[i] ?? 0];
      segments(cell, level, i, j, out);
    }
  }
  return out;
}

/** The corners of a cell, in turn. */
const corners = [[0, 0], [1, 0], [1, 1], [0, 1]] as const;

function segments(cell: number[], level: number, i: number, j: number, out: number[][]): void {
  const crossings: number[][] = [];
  for (let k = 0; k < 4; ++k) {
    const a = (cell[k] ?? 0) - level;
    const b = (cell[(k + 1) % 4] ?? 0) - level;
    if (a < 0 === b < 0) continue;
    const from = corners[k] ?? corners[0];
    const to = corners[(k + 1) % 4] ?? corners[0];
    // Where one end is nearly -infinity the line goes through the middle rather than through the corner.
    const share = Math.abs(a - b) > 1e6 ? 0.5 : a / (a - b);
    crossings.push([i + from[0] + share * (to[0] - from[0]), j + from[1] + share * (to[1] - from[1])]);
  }
  const [p, q, r, s] = crossings;
  if (p && q) out.push([...p, ...q]);
  if (r && s) out.push([...r, ...s]);
}
