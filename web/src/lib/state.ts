// What several views share: the model of the page, the rule and prior it is read by, and the row that is asked about.
import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { setParams, usePlace } from './route';
import type { How, ModelAnswer, ModelName, Prior, Row } from './types';

export interface Shared {
  /** The model's name, as in addresses. */
  name: string;
  model: ModelAnswer;
  /** What the list of models says of it. */
  listed: ModelName;
  models: ModelName[];
}

export const SharedContext = createContext<Shared | null>(null);

/** The model of the page; views are drawn only when it is there. */
export function useShared(): Shared {
  const shared = useContext(SharedContext);
  if (!shared) throw new Error('no model on this page');
  return shared;
}

/** A JSON value of the address, or undefined where it holds none. */
function parsed<T>(text: string | null): T | undefined {
  try {
    return text ? (JSON.parse(text) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** Rule and prior of the address. */
export function useHow(): How {
  const { params } = usePlace();
  const rule = params.get('rule');
  const prior = params.get('prior');
  return useMemo(() => {
    const how: How = {};
    if (rule) how.rule = rule;
    if (prior) how.prior = prior.startsWith('{') ? (parsed<Prior>(prior) ?? 'empirical') : (prior as Prior);
    return how;
  }, [rule, prior]);
}

/** What the model's prior is called; one given as numbers has no name. */
export const priorName = (model: ModelAnswer): string => (model.prior_rule.includes('=') ? 'as given' : model.prior_rule);

export function setPrior(prior: Prior | undefined): void {
  setParams({ prior: prior === undefined || typeof prior === 'string' ? prior : JSON.stringify(prior) });
}

/** The row of the address, and how to change it. */
export function useRow(): [Row, (row: Row) => void] {
  const text = usePlace().params.get('row');
  const row = useMemo(() => parsed<Row>(text) ?? {}, [text]);
  return [row, (next) => setParams({ row: Object.keys(next).length ? JSON.stringify(next) : undefined })];
}

/** A row with one value changed; missing values are left out. */
export function withValue(row: Row, column: string, value: Row[string]): Row {
  const next = { ...row };
  if (value === null || value === '') delete next[column];
  else next[column] = value;
  return next;
}
