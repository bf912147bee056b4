// Ask: a row, its posterior, and everything about why: nomogram, board, what would flip it, costs.
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useAnswer, type Answer } from '../lib/answer';
import { calls } from '../lib/calls';
import { useEngine } from '../lib/engine';
import { number, numberOf, probability, value } from '../lib/format';
import { setParams, usePlace } from '../lib/route';
import { useHow, useRow, useShared, withValue } from '../lib/state';
import type { Column, ExplainAnswer, FlipAnswer, How, NomogramAnswer, Prediction, Row, StepsAnswer, Value } from '../lib/types';
import { Bars } from '../parts/bars';
import { Board } from '../parts/board';
import { HowControls, Select } from '../parts/controls';
import { Costs, type Deciding } from '../parts/costs';
import { Evidence } from '../parts/evidence';
import { RowForm } from '../parts/form';
import { Nomogram } from '../parts/nomogram';
import { Heading, Note, Waiting } from '../parts/note';
import { Twin } from '../parts/twin';

export function Ask(): JSX.Element {
  const { name, model } = useShared();
  const { classes, columns } = model.schema;
  const engine = useEngine();
  const how = useHow();
  const { params } = usePlace();
  const densities = !model.logistic;
  const [row, setRow] = useRow();
  const [deciding, setDeciding] = useState<Deciding>({});
  const pair = { class: params.get('for') ?? undefined, against: params.get('against') ?? undefined };
  const asked = {
    predict: calls.predict(name, row, how, deciding),
    explain: calls.explain(name, row, how, pair),
    steps: engine.live && densities ? calls.steps(name, row, how) : null,
    flip: densities ? calls.flip(name, row, how) : null,
  };
  const answer = useAnswer<{ predictions: Prediction[] }>(asked.predict);
  const explained = useAnswer<ExplainAnswer>(asked.explain);
  const steps = useAnswer<StepsAnswer>(asked.steps);
  const flips = useAnswer<FlipAnswer>(asked.flip);
  const prediction = answer.data?.predictions[0];
  const alone = (c: Column): boolean => columns.every((o) => o === c || o.block !== c.block);
  const askable = engine.live ? columns : columns.filter((c) => (c.kind === 'number' || c.kind === 'category') && alone(c));
  // Texts and bags have no line of values to put a dot on.
  const dots = densities && columns.some((c) => c.kind === 'number' || c.kind === 'category');
  return (
    <>
      <Heading title="Ask the model">
        Fill in what is known; what is missing is no evidence. Every answer moves as you type or drag.
      </Heading>
      <HowControls />
      <div class="ask">
        <section aria-label="the row">
          <h2>A row</h2>
          <RowForm columns={askable} row={row} change={setRow} />
          {askable.length < columns.length && <p class="fine">{columns.length - askable.length} column{columns.length - askable.length === 1 ? '' : 's'} (texts, or modelled together) take the program: credence serve.</p>}
          {Object.keys(row).length > 0 && <button type="button" class="quiet" onClick={() => setRow({})}>all missing</button>}
        </section>
        <section class="verdict" aria-label="the answer">
          <h2>P({model.schema.target} | what is known)</h2>
          <Waiting on={answer} />
          {prediction && (
            <div aria-live="polite">
              <p class="decision">
                {prediction.label === null ? 'No label: not sure enough' : <>{deciding.costs ? 'Least expected cost:' : 'Most likely'} <strong>{prediction.label}</strong></>}
              </p>
              <Bars classes={classes} values={prediction.probabilities} label="posterior probabilities" {...(densities ? { before: model.prior } : {})} />
              {densities && <p class="fine">The thin lines are the priors. {evidenceLine(prediction)}</p>}
            </div>
          )}
          <Costs classes={classes} deciding={deciding} change={setDeciding} prediction={prediction} live={engine.live} />
        </section>
      </div>
      <Why name={name} row={row} change={setRow} how={how} dots={dots} scores={!densities} explained={explained} />
      <div class={classes.length === 2 && engine.live ? 'halves apart' : undefined}>
        {asked.steps && (
          <section aria-label="steps">
            <h2>As on the board</h2>
            <Waiting on={steps} />
            {steps.data && <Board answer={steps.data} order={classes} />}
          </section>
        )}
        {dots && (
          <section aria-label="changes">
            <h2>What would change the answer</h2>
            <Waiting on={flips} />
            {flips.data && <Flips answer={flips.data} columns={columns} row={row} change={setRow} />}
          </section>
        )}
      </div>
      <Twin asked={[asked.predict, asked.explain, asked.steps, asked.flip]} />
    </>
  );
}

interface WhyProps {
  name: string;
  row: Row;
  change: (row: Row) => void;
  how: How;
  /** Whether there are values to put dots on. */
  dots: boolean;
  /** Whether its evidence is differences of scores. */
  scores: boolean;
  explained: Answer<ExplainAnswer>;
}

/** The evidence for one class against another: as a nomogram, or of texts word by word. */
function Why({ name, row, change, how, dots, scores, explained }: WhyProps): JSX.Element {
  const { classes, columns } = useShared().model.schema;
  const chosen = usePlace().params.has('for');
  const [mine, other] = [explained.data?.class, explained.data?.against];
  const asked = useMemo(() => (dots && mine ? calls.nomogram(name, how, { class: mine, against: other }) : null), [name, how, dots, mine, other]);
  const nomogram = useAnswer<NomogramAnswer>(asked);
  const scales = nomogram.data?.class === mine && nomogram.data?.against === other ? nomogram.data : undefined;
  const together = columns.some((c, i) => columns.findIndex((o) => o.block === c.block) < i);
  return (
    <section aria-label="evidence">
      <div class="section-head">
        <h2>{dots ? 'Nomogram' : 'Evidence'}{classes.length === 2 && mine && <span class="soft"> for {mine} against {other}</span>}</h2>
        {classes.length > 2 && mine && other && (
          <div class="controls">
            <Select label="for" value={mine} options={classes} change={(c) => setParams({ for: c, against: other === c ? mine : other })} />
            <Select label="against" value={other} options={classes.filter((c) => c !== mine)} change={(c) => setParams({ for: mine, against: c })} />
            {chosen && <button type="button" class="quiet" onClick={() => setParams({ for: undefined, against: undefined })}>the two most probable</button>}
          </div>
        )}
      </div>
      {dots && (
        <p class="fine">
          Drag the dots, or move them with the arrow keys; Delete makes a value missing. What they say adds up to the log-odds below.
          {together && ' Of columns that are modelled together, a dot says what its value adds to those above it.'}
        </p>
      )}
      <Waiting on={explained} />
      <Waiting on={nomogram} />
      {!dots && explained.data && <Evidence answer={explained.data} most={40} scores={scores} />}
      {scales && explained.data && <Nomogram answer={scales} columns={columns} explained={explained.data} row={row} change={(column, v) => change(withValue(row, column, v))} />}
    </section>
  );
}

function evidenceLine(prediction: Prediction): string {
  const said: string[] = [];
  const evidence = prediction.log_evidence;
  // What is left of a sum of shares is no evidence.
  if (typeof evidence === 'number') said.push(`log P(x) is ${number(Math.abs(evidence) < 1e-12 ? 0 : evidence)}.`);
  if (typeof prediction.novelty === 'number') {
    const strange = Array.isArray(prediction.strange) ? prediction.strange.join(', ') : prediction.strange;
    said.push(`Of ordinary rows, a share of ${probability(prediction.novelty)} is as unusual as this one or more${strange ? `; strange: ${strange}` : ''}.`);
  }
  return said.join(' ');
}

const missing = (v: Value, column: Column | undefined): string =>
  v === null || v === undefined ? 'missing' : typeof v === 'number' ? numberOf(column, v) : value(v);

interface FlipsProps {
  answer: FlipAnswer;
  columns: Column[];
  row: Row;
  change: (row: Row) => void;
}

function Flips({ answer, columns, row, change }: FlipsProps): JSX.Element {
  const of = (flip: FlipAnswer['changes'][number]): Column | undefined => columns.find((c) => c.name === flip.column);
  if (answer.changes.length === 0) return <Note>No single column can change the answer.</Note>;
  return (
    <ul class="flips">
      {answer.changes.slice(0, 8).map((flip, i) => (
        <li key={i}>
          <span>
            <strong>{flip.column}</strong> {missing(flip.from, of(flip))} → <strong>{missing(flip.to, of(flip))}</strong>
          </span>
          <span class="soft">makes it {flip.label} ({probability(flip.probabilities[flip.label])})</span>
          <button type="button" class="quiet" onClick={() => change(withValue(row, flip.column, flip.to))}>do it</button>
        </li>
      ))}
    </ul>
  );
}
