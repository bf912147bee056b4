// The engine of an interactive report: posterior, explanation, nomogram and flips from tables of log densities.
import type { Call } from './calls';
import { Failure, type Engine } from './engine';
import { between } from './between';
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
  const { columns } = report.model.schema;
  const evidence: Record<string, Evidence> = {};
  for (const column of columns) {
    const table = evidenceOf(column, columns, report.columns[column.name]);
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

/** log P(value | class) of a column for every class; nothing for what is missing or was never seen. */
function termOf(evidence: Evidence | undefined, value: Value | undefined, classes: string[]): ByClass | undefined {
  if (!evidence || value === undefined || value === null) return undefined;
  // A value of a table may be written as a number or as a word.
  const place = evidence.between === 'exact' ? evidence.values.findIndex((v) => String(v) === String(value)) : -1;
  if (evidence.between === 'exact' && place < 0) return undefined;
  return Object.fromEntries(
    classes.map((c) => {
      const densities = evidence.log_density[c] ?? [];
      if (evidence.between === 'exact') return [c, densities[place] ?? null];
      return [c, between(evidence.values as number[], densities, Number(value), evidence.between)];
    }),
  );
}

function priorOf(data: Tables, how: How): ByClass {
  const { classes } = data.model.schema;
  if (how.prior === 'uniform') return Object.fromEntries(classes.map((c) => [c, 1 / classes.length]));
  return typeof how.prior === 'object' ? how.prior : data.model.prior;
}

const log = (p: number | null | undefined): number => Math.log(p ?? 0);

/** The terms of a row: the prior, then every column that is known. */
function termsOf(data: Tables, row: Row, how: How): { column: string; value: string; logs: Record<string, number> }[] {
  const { classes, columns } = data.model.schema;
  const prior = priorOf(data, how);
  const out = [{ column: 'prior', value: '', logs: Object.fromEntries(classes.map((c) => [c, log(prior[c])])) }];
  for (const { name } of columns) {
    const term = termOf(data.evidence[name], row[name], classes);
    if (term) out.push({ column: name, value: String(row[name]), logs: Object.fromEntries(classes.map((c) => [c, term[c] ?? -Infinity])) });
  }
  return out;
}

function joint(data: Tables, row: Row, how: How): Record<string, number> {
  const terms = termsOf(data, row, how);
  return Object.fromEntries(data.model.schema.classes.map((c) => [c, terms.reduce((sum, t) => sum + (t.logs[c] ?? 0), 0)]));
}

function predicted(data: Tables, row: Row, how: How): Prediction {
  const logs = joint(data, row, how);
  const top = Math.max(...Object.values(logs));
  if (top === -Infinity) return { label: null, probabilities: Object.fromEntries(Object.keys(logs).map((c) => [c, null])), log_evidence: null };
  const sum = Object.values(logs).reduce((s, l) => s + Math.exp(l - top), 0);
  const probabilities = Object.fromEntries(Object.entries(logs).map(([c, l]) => [c, Math.exp(l - top) / sum]));
  const label = Object.entries(probabilities).reduce((a, b) => (b[1] > a[1] ? b : a))[0];
  return { label, probabilities, log_evidence: top + Math.log(sum) };
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
      const points = table.values.map((value, i) => ({ value, weight: (table.log_density[mine]?.[i] ?? -99) - (table.log_density[other]?.[i] ?? -99) }));
      return [{ column: name, kind, points }];
    }),
  };
}

/** Single changes that flip the decision: of a number the nearest, of words all, those that flip most first. */
function flips(data: Tables, asked: Asked): FlipAnswer {
  const row = asked.row ?? {};
  const now = predicted(data, row, asked).label;
  const changes: FlipAnswer['changes'] = [];
  for (const [column, table] of Object.entries(data.evidence)) {
    const from = row[column] ?? null;
    const found = table.values.flatMap((to) => {
      const { label, probabilities } = predicted(data, { ...row, [column]: to }, asked);
      return label !== null && label !== now ? [{ column, from, to, label, probabilities }] : [];
    });
    if (table.between === 'exact') changes.push(...found);
    else if (found[0]) {
      const start = typeof from === 'number' ? from : Number(table.values[Math.floor(table.values.length / 2)]);
      changes.push(found.reduce((a, b) => (Math.abs(Number(b.to) - start) < Math.abs(Number(a.to) - start) ? b : a)));
    }
  }
  return { changes: changes.sort((a, b) => (b.probabilities[b.label] ?? 0) - (a.probabilities[a.label] ?? 0)) };
}
