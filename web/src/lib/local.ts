// The engine of an interactive report: posterior, explanation, nomogram and flips from tables of log densities.
import type { Call } from './calls';
import { Failure, type Engine } from './engine';
import { calibrated, logSum } from './densities';
import { evidenceOf, type Evidence } from './tables';
import type { ByClass, ColumnAnswer, ExplainAnswer, FlipAnswer, Home, How, ModelAnswer, NomogramAnswer, Prediction, Row, Value } from './types';

/** What `credence report --interactive` writes into the page; README.md says it in words. */
export interface ReportData {
  format: 1;
  home: Home;
  model: ModelAnswer;
  columns: Record<string, ColumnAnswer>;
}

interface Tables extends ReportData {
  evidence: Record<string, Evidence>;
}

type Asked = How & { row?: Row; class?: string; against?: string };

export function localEngine(report: ReportData): Engine {
  const evidence: Record<string, Evidence> = {};
  for (const column of report.model.schema.columns) {
    const table = evidenceOf(column, report.model, report.columns[column.name]);
    if (table) evidence[column.name] = table;
  }
  const data: Tables = { ...report, evidence };
  return {
    live: false,
    ask<T>(call: Call): Promise<T> {
      try {
        return Promise.resolve(answer(data, call) as T);
      } catch (error) {
        return Promise.reject(error instanceof Failure ? error : new Failure(String(error), 500));
      }
    },
  };
}

function answer(data: Tables, call: Call): unknown {
  const path = call.path.split('?')[0] ?? '';
  const [, , , , what, name] = path.split('/');
  const asked = (call.body ?? {}) as Asked;
  if (path === '/v1') return data.home;
  if (what === undefined) return data.model;
  if (what === 'column') return data.columns[decodeURIComponent(name ?? '')] ?? refuse(`no column ${name} in this report`);
  if (what === 'predict') return { predictions: [predicted(data, asked.row ?? {}, asked)] };
  if (what === 'explain') return explained(data, asked);
  if (what === 'nomogram') return scales(data, asked);
  if (what === 'flip') return flips(data, asked);
  return refuse('this takes a server: credence serve');
}

function refuse(message: string): never {
  throw new Failure(message, 404);
}

/** What a column says of every class; nothing for what is missing or was never seen. */
function termOf(evidence: Evidence | undefined, value: Value | undefined, classes: string[]): Record<string, number> | undefined {
  if (!evidence || value === undefined || value === null) return undefined;
  const logs = classes.map((c) => [c, evidence.at(value, c)] as const);
  return logs.some(([, l]) => l === undefined) ? undefined : (Object.fromEntries(logs) as Record<string, number>);
}

function priorOf(data: Tables, how: How): ByClass {
  const { classes } = data.model.schema;
  if (how.prior === 'uniform') return Object.fromEntries(classes.map((c) => [c, 1 / classes.length]));
  return typeof how.prior === 'object' ? how.prior : data.model.prior;
}

const log = (p: number | null | undefined): number => Math.log(p ?? 0);

interface RowTerm {
  column: string;
  value: string;
  logs: Record<string, number>;
}

/** The terms of a row: the prior, every column that is known, and what calibration adds. */
function termsOf(data: Tables, row: Row, how: How): RowTerm[] {
  const { model } = data;
  const { classes, columns } = model.schema;
  const prior = priorOf(data, how);
  const logPrior = Object.fromEntries(classes.map((c) => [c, log(prior[c])]));
  const out: RowTerm[] = [{ column: 'prior', value: '', logs: logPrior }];
  for (const { name } of columns) {
    const logs = termOf(data.evidence[name], row[name], classes);
    if (logs) out.push({ column: name, value: String(row[name]), logs });
  }
  if (model.calibration && model.schema.calibrated && how.calibration !== 'off') {
    const joint = sumOf(out, classes);
    const after = calibrated(joint, logPrior, model.calibration);
    const logs = Object.fromEntries(classes.map((c) => [c, joint[c] === -Infinity ? 0 : (after[c] ?? 0) - (joint[c] ?? 0)]));
    out.push({ column: 'calibration', value: model.calibration.method, logs });
  }
  return out;
}

const sumOf = (terms: RowTerm[], classes: string[]): Record<string, number> =>
  Object.fromEntries(classes.map((c) => [c, terms.reduce((sum, t) => sum + (t.logs[c] ?? 0), 0)]));

function predicted(data: Tables, row: Row, how: How): Prediction {
  const logs = sumOf(termsOf(data, row, how), data.model.schema.classes);
  const evidence = logSum(Object.values(logs));
  if (evidence === -Infinity) return { label: null, probabilities: Object.fromEntries(Object.keys(logs).map((c) => [c, null])), log_evidence: null };
  const probabilities = Object.fromEntries(Object.entries(logs).map(([c, l]) => [c, Math.exp(l - evidence)]));
  const label = Object.entries(probabilities).reduce((a, b) => (b[1] > a[1] ? b : a))[0];
  return { label, probabilities, log_evidence: evidence };
}

function explained(data: Tables, asked: Asked): ExplainAnswer {
  const row = asked.row ?? {};
  const { probabilities, log_evidence = null } = predicted(data, row, asked);
  const order = Object.keys(probabilities).sort((a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0));
  const mine = asked.class ?? order[0] ?? '';
  const other = asked.against ?? order.find((c) => c !== mine) ?? '';
  const evidence = termsOf(data, row, asked).map(({ column, value, logs }) => {
    const [a, b] = [logs[mine] ?? 0, logs[other] ?? 0];
    return { column, value, weight: a - b, log_density: a, log_density_against: b };
  });
  return { class: mine, against: other, probabilities, log_evidence, evidence, log_odds: evidence.reduce((s, t) => s + t.weight, 0) };
}

function scales(data: Tables, asked: Asked): NomogramAnswer {
  const { classes, columns } = data.model.schema;
  const mine = asked.class ?? classes[0] ?? '';
  const other = asked.against ?? classes.find((c) => c !== mine) ?? '';
  const prior = priorOf(data, asked);
  return {
    class: mine,
    against: other,
    prior: log(prior[mine]) - log(prior[other]),
    columns: columns.flatMap(({ name, kind }) => {
      const table = data.evidence[name];
      if (!table) return [];
      const at = (value: Value, c: string): number => Math.max(table.at(value, c) ?? 0, -99);
      const points = thinned(table.values).map((value) => ({ value, weight: at(value, mine) - at(value, other) }));
      return [{ column: name, kind, points }];
    }),
  };
}

/** Of a curve's places about as many as a line on the screen can show. */
const thinned = <T>(values: T[]): T[] => values.filter((v, i) => typeof v === 'string' || i % Math.ceil(values.length / 150) === 0);

/** Single changes that flip the decision: of a number the nearest, of words all, those that flip most first. */
function flips(data: Tables, asked: Asked): FlipAnswer {
  const row = asked.row ?? {};
  const now = predicted(data, row, asked).label;
  const changes: FlipAnswer['changes'] = [];
  const kindOf = Object.fromEntries(data.model.schema.columns.map((c) => [c.name, c.kind]));
  for (const [column, table] of Object.entries(data.evidence)) {
    const from = row[column] ?? null;
    const found = table.values.flatMap((to) => {
      const { label, probabilities } = predicted(data, { ...row, [column]: to }, asked);
      return label !== null && label !== now ? [{ column, from, to, label, probabilities }] : [];
    });
    if (kindOf[column] === 'category') changes.push(...found);
    else if (found[0]) {
      const start = typeof from === 'number' ? from : Number(table.values[Math.floor(table.values.length / 2)]);
      changes.push(found.reduce((a, b) => (Math.abs(Number(b.to) - start) < Math.abs(Number(a.to) - start) ? b : a)));
    }
  }
  return { changes: changes.sort((a, b) => (b.probabilities[b.label] ?? 0) - (a.probabilities[a.label] ?? 0)) };
}
