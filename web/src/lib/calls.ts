// Every question the page asks, as a value: the same value is sent, shown as a curl line, and compared for changes.
import type { Change, How, Row } from './types';

export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: unknown;
  /** A table that is the body itself. */
  table?: Blob;
  /** Of a change: asked twice with one key, it is made once. */
  key?: string;
}

type InAddress = Record<string, string | number | undefined>;

const withQuery = (path: string, query: InAddress): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') search.set(name, String(value));
  const text = search.toString();
  return text ? `${path}?${text}` : path;
};
const get = (path: string, query: InAddress = {}): Call => ({ method: 'GET', path: withQuery(path, query) });
const postIn = (path: string, query: InAddress): Call => ({ method: 'POST', path: withQuery(path, query) });
const post = (path: string, body: unknown): Call => ({ method: 'POST', path, body });
const keyOfRow = (place: number): string => `row-${place + 1}-`;
const change = (path: string, body: unknown, place?: number): Call => ({ ...post(path, body), key: (place === undefined ? '' : keyOfRow(place)) + newKey() });
/** Was this row of the table taken out, and not put back, by what the journal holds? */
export function isOut(changes: Change[], place: number): boolean {
  const of = changes.filter((c) => !c.undone && c.key?.startsWith(keyOfRow(place)));
  return of.filter((c) => c.kind === 'forget').length > of.filter((c) => c.kind === 'update').length;
}
const of = (model: string, what = ''): string => `/v1/models/${encodeURIComponent(model)}${what}`;

/** How as query parameters, for questions that are asked by GET. */
const inQuery = (how: How): Record<string, string | undefined> => ({
  rule: how.rule,
  prior: how.prior === undefined ? undefined : priorText(how.prior),
  calibration: how.calibration,
});

/** A prior as the command line writes it: uniform, or a=0.3,b=0.7. */
export function priorText(prior: NonNullable<How['prior']>): string {
  if (typeof prior === 'string') return prior;
  return Object.entries(prior)
    .map(([name, p]) => `${name}=${p}`)
    .join(',');
}

export const calls = {
  home: () => get('/v1'),
  model: (model: string, how: How = {}) => get(of(model), inQuery(how)),
  column: (model: string, name: string, how: How, more: { strength?: string; points?: number; words?: number }) =>
    get(of(model, `/column/${encodeURIComponent(name)}`), { ...inQuery(how), ...more }),
  predict: (model: string, row: Row, how: How, decide: object = {}) => post(of(model, '/predict'), { row, ...how, ...decide }),
  explain: (model: string, row: Row, how: How, pair: { class?: string; against?: string } = {}) =>
    post(of(model, '/explain'), { row, ...how, ...pair }),
  steps: (model: string, row: Row, how: How) => post(of(model, '/steps'), { row, ...how }),
  nomogram: (model: string, how: How, pair: { class?: string; against?: string }) => post(of(model, '/nomogram'), { ...how, ...pair }),
  flip: (model: string, row: Row, how: How) => post(of(model, '/flip'), { row, ...how }),
  plane: (model: string, body: { x: string; y: string; at?: Row; size?: number; independent?: boolean } & How) => post(of(model, '/plane'), body),
  mark: (model: string, text: string, column?: string) => post(of(model, '/mark'), { text, column }),
  rows: (model: string, query: { from?: number; count?: number; true?: string; predicted?: string; by?: string; marked?: string }, how: How = {}) => get(of(model, '/rows'), { ...query, ...inQuery(how) }),
  judge: (model: string, by: string, folds?: number, how: How = {}) => get(of(model, '/judge'), { by, folds, ...inQuery(how) }),
  /** place: of the row in the table that the model was given, so that the journal knows which one it was. */
  update: (model: string, rows: Row[], place?: number) => change(of(model, '/update'), { rows }, place),
  forget: (model: string, rows: Row[], place?: number) => change(of(model, '/forget'), { rows }, place),
  undo: (model: string) => change(of(model, '/undo'), {}),
  changes: (model: string) => get(of(model, '/changes')),
  influence: (model: string, row: Row) => post(of(model, '/influence'), { row }),
  compare: (a: string, b: string | number) =>
    post('/v1/compare', { models: [a, typeof b === 'number' ? { model: a, version: b } : b] }),
  profile: (table: Blob): Call => ({ ...postIn('/v1/fit', {}), table }),
  fit: (table: Blob, target: string, best: boolean, name: string): Call => ({ ...postIn('/v1/fit', { target, name, best: best ? 'true' : undefined }), table }),
  job: (id: string) => get(`/v1/jobs/${encodeURIComponent(id)}`),
  cancel: (id: string): Call => ({ method: 'DELETE', path: `/v1/jobs/${encodeURIComponent(id)}` }),
  stories: () => get('/v1/stories'),
  story: (id: string) => get(`/v1/stories/${encodeURIComponent(id)}`),
};

/** 128 random bits. crypto.randomUUID is not there on plain http outside of localhost. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The call as a line for a shell. */
export function curlLine(call: Call, origin: string): string {
  const address = quoted(origin + call.path);
  if (call.method === 'GET') return `curl -s ${address}`;
  if (call.table) return `curl -s ${address} -H 'Content-Type: text/csv' --data-binary @${quoted(call.table instanceof File ? call.table.name : 'table.csv')}`;
  if (call.body === undefined) return `curl -s -X ${call.method} ${address}`;
  return `curl -s ${address} -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(call.body))}`;
}
