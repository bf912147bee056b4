// Numbers as people read them.
const minus = (text: string): string => text.replace('-', '−');
const superscript = (n: number): string => [...String(n)].map((c) => (c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)])).join('');

function power(x: number, digits = 1): string {
  const [head = '', tail = '0'] = x.toExponential(digits).split('e');
  return `${minus(head)}·10${superscript(Number(tail))}`;
}

/** A probability: three places, more where it is near 0 or 1. */
export function probability(p: number | null | undefined): string {
  if (p === null || p === undefined || Number.isNaN(p)) return '–';
  if (p === 0 || p === 1) return String(p);
  if (p < 0.0005) return power(p);
  if (p > 0.9995) return 1 - p < 1e-15 ? '1' : `1 − ${power(1 - p)}`;
  return p.toFixed(3);
}

/** Any number, with four digits that say something. */
export function number(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (x === 0) return '0';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
  const size = Math.abs(x);
  if (size >= 1e7 || size < 1e-4) return power(x, 2);
  if (Number.isInteger(x)) return minus(grouped(x));
  return minus(Number(x.toPrecision(digits)).toLocaleString('en-US', { maximumFractionDigits: 12 }));
}

export const isDate = (column: { reading?: string } | undefined): boolean => Boolean(column?.reading?.startsWith('date'));

/** Days since 1970 as a date, with the time where it is not midnight. */
export function date(days: number): string {
  const when = new Date(Math.round(days * 1440) * 60000);
  if (Number.isNaN(when.getTime())) return number(days);
  const [day = '', time = ''] = when.toISOString().split('T');
  return time.startsWith('00:00') ? day : `${day} ${time.slice(0, 5)}`;
}

/** A date as days since 1970; nothing where it is none. */
export function daysOf(text: string): number | null {
  const time = Date.parse(`${text}T00:00Z`);
  return Number.isNaN(time) ? null : time / 86400000;
}

/** A number of a column: a date where the column holds dates. */
export function numberOf(column: { reading?: string } | undefined, x: number | null | undefined, digits = 4): string {
  return isDate(column) && typeof x === 'number' ? date(x) : number(x, digits);
}

/** Digits of a program, 1.73e-05, as people write them: 1.73·10⁻⁵. */
export const written = (text: string): string => text.replace(/([\d.]+)e([-+]?)0*(\d+)/g, (_, head: string, sign: string, tail: string) => `${head}·10${superscript(Number(sign + tail))}`);

/** A weight of evidence in nats, with its sign. */
export function nats(x: number | null | undefined): string {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (!Number.isFinite(x)) return x > 0 ? '+∞' : '−∞';
  const text = Math.abs(x) >= 100 ? x.toFixed(0) : x.toFixed(2);
  return Number(text) === 0 ? '0.00' : minus(x > 0 ? `+${text}` : text);
}

/** 12,345 */
export function grouped(n: number | null | undefined): string {
  return n === null || n === undefined ? '–' : n.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

export function percent(x: number | null | undefined): string {
  if (x === null || x === undefined) return '–';
  return `${(100 * x).toFixed(x > 0.999 && x < 1 ? 2 : 1)} %`;
}

export function bytes(n: number | undefined): string {
  if (n === undefined) return '–';
  if (n < 1000) return `${n} bytes`;
  return n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`;
}

/** A value of a row, on one line. */
export function value(v: unknown, column?: { reading?: string }): string {
  if (v === null || v === undefined || v === '') return '–';
  if (typeof v === 'number') return numberOf(column, v, 6);
  if (Array.isArray(v)) return v.join(' ');
  if (typeof v === 'object') return Object.entries(v).map(([word, n]) => (n === 1 ? word : `${word} ×${n}`)).join(' ');
  return String(v);
}
