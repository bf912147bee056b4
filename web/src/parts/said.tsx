// An answer of the engine of whatever kind, drawn as what it is.
import type { JSX } from 'preact';
import { nats, probability, value } from '../lib/format';
import type { ExplainAnswer, FlipAnswer, NomogramAnswer, PlaneAnswer, Prediction, StepsAnswer } from '../lib/types';
import { Bars, Key } from './bars';
import { Board } from './board';
import { Evidence } from './evidence';
import { Table } from './figure';
import { PlaneMap } from './plane_map';

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
  if (Array.isArray(given.changes)) return <Changes answer={given as unknown as FlipAnswer} />;
  if (given.posterior) return <SmallPlane answer={given as unknown as PlaneAnswer & { columns?: [string, string] }} />;
  if (Array.isArray(given.columns) && 'against' in given) return <Weights answer={given as unknown as NomogramAnswer} />;
  if (Array.isArray(given.answers)) return <>{(given.answers as Answered[]).map((a) => <Question key={a.question} answer={a} />)}</>;
  return <pre tabIndex={0}>{JSON.stringify(answer, null, 2)}</pre>;
}

function Changes({ answer }: { answer: FlipAnswer }): JSX.Element {
  return (
    <Table
      head={['change', 'makes it', 'with probability']}
      rows={answer.changes.map((c) => [`${c.column} ${c.from === null ? '' : `${value(c.from)} → `}${value(c.to)}`, c.label, probability(c.probabilities[c.label])])}
    />
  );
}

function SmallPlane({ answer }: { answer: PlaneAnswer & { columns?: [string, string] } }): JSX.Element {
  return (
    <>
      <Key classes={answer.classes} />
      <PlaneMap answer={answer} names={answer.columns ?? ['x', 'y']} data={[]} point={undefined} />
    </>
  );
}

/** What every value says, for one class against the other. */
function Weights({ answer }: { answer: NomogramAnswer }): JSX.Element {
  const few = answer.columns.filter((c) => c.points.length <= 20);
  return (
    <Table
      head={['value', `nats for ${answer.class}`]}
      rows={few.flatMap((c) => c.points.map((p) => [`${c.column} = ${p.value}`, nats(p.weight)]))}
    />
  );
}

interface Share {
  values: Record<string, unknown>;
  probability: number | null;
}

interface Answered {
  question: string;
  probability?: number | null;
  distribution?: Share[];
  cases?: { given: Record<string, unknown>; distribution: Share[] }[];
}

const named = (values: Record<string, unknown>): string => Object.values(values).map((v) => value(v)).join(', ');

/** A probability, a distribution, or one for every case. */
function Question({ answer }: { answer: Answered }): JSX.Element {
  if (answer.cases) {
    const first = answer.cases[0]?.distribution ?? [];
    return (
      <Table
        head={[answer.question, ...answer.cases.map((c) => named(c.given))]}
        rows={first.map((share, i) => [named(share.values), ...(answer.cases ?? []).map((c) => probability(c.distribution[i]?.probability))])}
      />
    );
  }
  const rows = answer.distribution?.map((share) => [named(share.values), probability(share.probability)]) ?? [[answer.question, probability(answer.probability)]];
  return <Table head={[answer.distribution ? answer.question : 'question', 'probability']} rows={rows} />;
}
