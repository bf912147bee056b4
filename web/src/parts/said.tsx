// An answer of the engine of whatever kind, drawn as what it is.
import type { JSX } from 'preact';
import { probability } from '../lib/format';
import type { ExplainAnswer, Prediction, StepsAnswer } from '../lib/types';
import { Bars } from './bars';
import { Board } from './board';
import { Evidence } from './evidence';
import { Table } from './figure';

type Any = Record<string, unknown>;

export function Said({ answer }: { answer: unknown }): JSX.Element {
  const given = (Array.isArray(answer) && answer.length === 1 ? answer[0] : answer) as Any;
  if (Array.isArray(given.predictions)) {
    const list = given.predictions as Prediction[];
    return <>{list.map((p, i) => <Bars key={i} classes={Object.keys(p.probabilities)} values={p.probabilities} label="posterior probabilities" />)}</>;
  }
  if (Array.isArray(given.classes) && 'log_sum' in given) {
    const steps = given as unknown as StepsAnswer;
    return <Board answer={steps} order={steps.classes.map((c) => c.class)} />;
  }
  if (Array.isArray(given.evidence)) return <Evidence answer={given as unknown as ExplainAnswer} />;
  if (given.probabilities) return <Bars classes={Object.keys(given.probabilities as object)} values={given.probabilities as Record<string, number>} label="probabilities" />;
  if (Array.isArray(given.answers)) {
    return <Table head={['question', 'answer']} rows={(given.answers as Any[]).map((a) => [String(a.question ?? ''), shown(a)])} />;
  }
  return <pre tabIndex={0}>{JSON.stringify(answer, null, 2)}</pre>;
}

function shown(answer: Any): string {
  const p = answer.probability ?? answer.value ?? answer.answer;
  return typeof p === 'number' ? probability(p) : JSON.stringify(p ?? answer);
}
