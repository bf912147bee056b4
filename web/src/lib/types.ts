// What the server says, as src/serve and docs/serve.md have it.

export type Value = number | string | null | string[] | Record<string, number>;
export type Row = Record<string, Value>;
/** A number for every class; null is what JSON makes of infinity and NaN. */
export type ByClass = Record<string, number | null>;
export type Prior = 'empirical' | 'uniform' | 'smoothed' | ByClass;

/** How a question is to be answered, where not as the model says. */
export interface How {
  rule?: string;
  prior?: Prior;
  calibration?: 'on' | 'off';
}

export interface ModelName {
  name: string;
  target: string;
  rows: number | null;
  classes: string[];
  learn: boolean;
  data: boolean;
}

export interface Home {
  name: string;
  version: string;
  models: ModelName[];
  learn: boolean;
  examples: boolean;
}

export type Kind = 'number' | 'category' | 'text' | 'bag';

export interface Column {
  name: string;
  kind: Kind;
  values?: string[];
  /** How far it is drawn. */
  range?: [number, number];
  /** How far the rows of the server reach. */
  seen?: [number, number];
  /** How its cells are written: "date(ymd)", "comma(€)". */
  reading?: string;
  typical?: Value;
  family: string;
  block: number;
  /** How often its evidence counts; 1 where absent. */
  trust?: number;
}

export interface ShownColumn {
  column: string;
  family: string;
  remark?: string;
  table?: Record<string, ByClass>;
  /** Of columns in a tree: which one each depends on. */
  structure?: { column: string; parent: string | null; information?: number }[];
}

export interface Done {
  what: string;
  rows: number | null;
  times: number;
  when: string;
  detail: string;
  model: string;
}

/** What makes posteriors of scores, for rows whose classes have the shares of `prior`. */
export interface Calibration {
  method: 'temperature' | 'platt' | 'isotonic';
  prior: ByClass;
  slope?: number;
  bias?: ByClass;
  /** Probability over log-odds: one for every class, or of two classes one for the second. */
  curves?: { score: number[]; probability: number[] }[];
}

export interface ModelAnswer {
  target: string;
  rows: number | null;
  /** Of a logistic model most of what follows is not there: it has coefficients, not densities. */
  logistic?: boolean;
  unlabelled_rows?: number;
  rule: string;
  prior_rule: string;
  parameters?: number;
  log_likelihood?: number | null;
  prior: ByClass;
  columns: ShownColumn[];
  calibration?: Calibration;
  schema: {
    target: string;
    columns: Column[];
    classes: string[];
    rule?: string;
    prior_rule?: string;
    calibrated?: boolean;
    size_bytes?: number;
    version?: number;
    history?: Done[] | { journal: Done[] };
    novelty?: boolean;
    hand_written?: boolean;
  };
  calibrated?: boolean;
  size_bytes?: number;
  version?: number;
  history?: Done[] | { journal: Done[] };
}

export interface TableRow {
  value: string | number;
  probability: ByClass;
  count?: ByClass;
}

export interface WordRow {
  word: string;
  weight: ByClass;
  probability: ByClass;
}

export interface ColumnAnswer {
  column: string;
  family: string;
  kind: Kind;
  classes: string[];
  /** steps: each density holds up to the next place. */
  curve?: { x: number[]; density: Record<string, (number | null)[]>; steps?: boolean };
  /** P(0) where zeros have a probability of their own, apart from the curve. */
  zero?: ByClass;
  table?: TableRow[];
  words?: WordRow[];
  prior?: ByClass;
}

export interface Prediction {
  label: string | null;
  probabilities: ByClass;
  log_evidence?: number | null;
  novelty?: number | null;
  strange?: string[] | string;
  expected_cost?: number | null | ByClass;
}

export interface Term {
  column: string;
  value: string;
  weight: number | null;
  log_density: number | null;
  log_density_against: number | null;
}

export interface ExplainAnswer {
  class: string;
  against: string;
  log_odds: number | null;
  log_evidence: number | null;
  probabilities: ByClass;
  evidence: Term[];
}

export interface Factor {
  column: string;
  value: string;
  symbol: string;
  factor: string;
  formula?: string;
  power?: number;
  unseen?: boolean;
  log: number | null;
}

export interface StepsAnswer {
  classes: { class: string; factors: Factor[]; log_product: number | null; posterior: number | null }[];
  log_sum: number | null;
}

export interface NomogramColumn {
  column: string;
  kind: Kind;
  points: { value: number | string; weight: number | null }[];
}

export interface NomogramAnswer {
  class: string;
  against: string;
  prior: number | null;
  columns: NomogramColumn[];
}

export interface FlipAnswer {
  changes: { column: string; from: Value; to: Value; label: string; probabilities: ByClass }[];
}

export interface PlaneAnswer {
  x: (number | string)[];
  y: (number | string)[];
  classes: string[];
  log_density: Record<string, (number | null)[][]>;
  posterior: Record<string, (number | null)[][]>;
  prior: ByClass;
}

export interface MarkAnswer {
  probabilities: ByClass;
  label: string | null;
  class: string;
  against: string;
  tokens: { start: number; end: number; word: string; weight: number | null }[];
}

export interface DataRow {
  index: number;
  label: string | null;
  predicted: string | null;
  probabilities: ByClass;
  row: Row;
  /** Of rows that were asked for with marks: what their words say for one class against another. */
  class?: string;
  against?: string;
  documents?: { column: string; text: string; words: { at: number; length: number; weight: number | null }[] }[];
}

export interface RowsAnswer {
  total: number;
  rows: DataRow[];
}

export type Interval = [number | null, number | null];

export interface JudgeAnswer {
  rows: number;
  accuracy: number | null;
  log_loss: number | null;
  brier: number | null;
  ece: number | null;
  roc_auc?: number | null;
  baseline?: { class: string; accuracy: number; log_loss: number };
  confusion: { labels: string[]; counts: number[][] };
  classes: { label: string; support: number; precision: number | null; recall: number | null; f1: number | null }[];
  intervals: Record<string, Interval | number>;
  curves: {
    roc: Record<string, { fpr: number[]; tpr: number[]; threshold: (number | null)[] }>;
    reliability: { p: number; observed: number; n: number }[];
    reject: { threshold: number; answered: number; error: number | null }[];
    /** By thousandths of a class's probability: its rows, and others. */
    scores: Record<string, { p: number; positives: number; negatives: number }[]>;
  };
}

export interface ChangeAnswer {
  version: number;
  rows: number;
  applied?: number;
  repeated?: boolean;
}

/** A change of a model that learns; the list of them has the newest first. */
export interface Change {
  version: number;
  kind: 'update' | 'forget' | 'undo';
  rows: number;
  /** How many rows the model had learnt after it. */
  total?: number;
  time: string;
  undoes?: number;
  undone?: number;
  /** Its Idempotency-Key. */
  key?: string;
}

export interface InfluenceAnswer {
  with: ByClass;
  without: ByClass;
  moved: { column: string; parameter: string; class?: string; from: number | null; to: number | null }[];
}

export interface CompareAnswer {
  disagree: { row: Row; truth?: string | null; a: Prediction; b: Prediction }[];
  agree: number;
  total: number;
  parameters: { column: string; value: string; class: string; a: number | null; b: number | null }[];
}

export interface Profile {
  rows: number;
  columns: { name: string; holds: string; missing: number; distinct: number; fit: string; reason: string }[];
}

export interface Job {
  state: 'running' | 'done' | 'failed';
  /** How far the process said it was last; total 0: of how much is not known. */
  progress: { what: string; done: number; total: number; unit: 'bytes' | 'steps' } | null;
  message?: string;
  model?: string;
  command?: string;
}

export interface StoryName {
  id: string;
  title: string;
  lecture?: string;
}

export interface Story {
  title: string;
  steps: {
    text: string;
    model?: string;
    ask?: { method?: string; path?: string; endpoint?: string; body?: unknown };
    command?: string;
    answer?: unknown;
  }[];
}
