// Judge: how good the model is on labelled rows: confusion with the rows behind every cell, curves, threshold and costs.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAnswer } from '../lib/answer';
import { calls } from '../lib/calls';
import { grouped, number, percent, probability } from '../lib/format';
import { setParams, usePlace } from '../lib/route';
import { useHow, useShared } from '../lib/state';
import type { Interval, JudgeAnswer, RowsAnswer } from '../lib/types';
import { Confusion } from '../parts/confusion';
import { HowControls, Select } from '../parts/controls';
import { Heading, Note, Waiting } from '../parts/note';
import { Documents } from '../parts/documents';
import { Pager } from '../parts/pager';
import { RowTable } from '../parts/row_table';
import { Reject, Reliability } from '../parts/sure';
import { Threshold } from '../parts/threshold';
import { CommandLine, Twin } from '../parts/twin';

export function Judge(): JSX.Element {
  const { name, listed, model } = useShared();
  const { params } = usePlace();
  const by = params.get('by') === 'cv' ? 'cv' : 'data';
  const how = useHow();
  const asked = listed.data ? calls.judge(name, by, by === 'cv' ? 10 : undefined, how) : null;
  const judged = useAnswer<JudgeAnswer>(asked, false);
  const [truth, label] = [params.get('true'), params.get('taken')];
  const cell = truth !== null && label !== null ? { truth, label } : undefined;
  const [from, setFrom] = useState(0);
  const setCell = (chosen?: { truth: string; label: string }): void => {
    setFrom(0);
    setParams({ true: chosen?.truth, taken: chosen?.label });
  };
  const texts = model.schema.columns.some((c) => c.kind === 'text');
  const count = texts ? 20 : 50;
  const rowsAsked = cell ? calls.rows(name, { from, count, true: cell.truth, predicted: cell.label, by, ...(texts ? { marked: 'true' } : {}) }, how) : null;
  const rows = useAnswer<RowsAnswer>(rowsAsked);
  if (!listed.data) {
    return (
      <>
        <Heading title="How good is it?">To judge a model takes rows whose class is known.</Heading>
        <Note>The server was started without rows. Give it some:</Note>
        <CommandLine text={`credence serve ${name}.credence --data rows.csv`} />
      </>
    );
  }
  const data = judged.data;
  const List = rows.data?.rows.some((r) => r.documents) ? Documents : RowTable;
  return (
    <>
      <Heading title="How good is it?">
        {by === 'cv' ? 'Every row is judged by a model that has not seen it.' : 'The rows the server was given, judged by the model as it is. If it learnt from them, this flatters it: cross-validate.'}
      </Heading>
      <div class="controls">
        <Select label="Judged by" value={by} options={[['data', 'the model as it is'], ['cv', 'cross-validation, 10 folds']]} change={(v) => { setFrom(0); setParams({ by: v === 'cv' ? v : undefined, true: undefined, taken: undefined }); }} />
      </div>
      <HowControls />
      <Waiting on={judged} />
      {data && (
        <>
          <Headline data={data} />
          <section class={data.confusion.labels.length > 8 ? undefined : 'halves'} aria-label="confusion">
            <div>
              <h2>Confusion</h2>
              <p class="fine">Truth down, decision across. Choose a cell to see its rows.</p>
              <Confusion labels={data.confusion.labels} counts={data.confusion.counts} chosen={cell} choose={setCell} />
            </div>
            <div>
              <h2>Class by class</h2>
              <PerClass data={data} />
            </div>
          </section>
          {cell && (
            <section aria-label="rows of the cell" aria-live="polite">
              <h2>{cell.truth} taken for {cell.label}</h2>
              <Waiting on={rows} />
              {rows.data && <List rows={rows.data.rows} classes={model.schema.classes} columns={model.schema.columns} target={model.schema.target} />}
              {rows.data && <Pager from={from} count={count} total={rows.data.total} go={setFrom} />}
            </section>
          )}
          <Threshold data={data} classes={model.schema.classes} />
          <section class="halves" aria-label="how sure">
            <Reliability data={data} />
            <Reject data={data} />
          </section>
        </>
      )}
      <Twin asked={[asked, rowsAsked]} />
    </>
  );
}

function Headline({ data }: { data: JudgeAnswer }): JSX.Element {
  const within = (name: string): string => {
    const interval = data.intervals[name] as Interval | undefined;
    return Array.isArray(interval) ? `${number(interval[0], 3)} to ${number(interval[1], 3)}` : '';
  };
  const figures: [string, string, string][] = [
    ['rows', grouped(data.rows), ''],
    ['accuracy', percent(data.accuracy), within('accuracy')],
    ['log-loss', number(data.log_loss), within('log_loss')],
    ['Brier score', number(data.brier), within('brier')],
    ['ROC-AUC', number(data.roc_auc ?? null), within('roc_auc')],
    ['calibration error', number(data.ece, 3), ''],
  ];
  return (
    <>
      <dl class="facts large">
        {figures.map(([name, figure, range]) => (
          <div key={name}><dt>{name}</dt><dd>{figure}{range && <small>{range}</small>}</dd></div>
        ))}
      </dl>
      {data.baseline && <p class="fine">Always saying {data.baseline.class} would be right {percent(data.baseline.accuracy)} of the time. Ranges are 95 % intervals.</p>}
    </>
  );
}

function PerClass({ data }: { data: JudgeAnswer }): JSX.Element {
  return (
    <div class="scroll tall" tabIndex={0} role="region" aria-label="measures by class">
      <table>
        <thead><tr><th scope="col">class</th><th scope="col">rows</th><th scope="col">precision</th><th scope="col">recall</th><th scope="col">F1</th></tr></thead>
        <tbody>
          {data.classes.map((c) => (
            <tr key={c.label}><th scope="row">{c.label}</th><td>{grouped(c.support)}</td><td>{probability(c.precision)}</td><td>{probability(c.recall)}</td><td>{probability(c.f1)}</td></tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
