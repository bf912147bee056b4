// Overview: what the model is. Classes with their priors, columns with their families, size and history.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAnswer } from '../lib/answer';
import { calls } from '../lib/calls';
import { bytes, grouped, number, numberOf, value } from '../lib/format';
import { addressOf } from '../lib/route';
import { priorName, setPrior, useHow, useRow, useShared } from '../lib/state';
import type { Column, Done, ModelAnswer, Prediction, Row } from '../lib/types';
import { Bars, Key } from '../parts/bars';
import { Heading, Name, Waiting } from '../parts/note';
import { PriorSliders } from '../parts/priors';
import { Twin } from '../parts/twin';

export function Overview(): JSX.Element {
  return useShared().model.logistic ? <Coefficients /> : <Generative />;
}

/** A logistic model: it tells classes apart, and does not say what they look like. */
function Coefficients(): JSX.Element {
  const { name, model } = useShared();
  const { schema } = model;
  return (
    <>
      <Heading title={<>What the model <em>{name}</em> knows of {schema.target}</>}>
        Logistic regression of {grouped(model.rows)} rows: it tells {schema.classes.length} classes apart by {schema.columns.length} column{schema.columns.length === 1 ? '' : 's'}, and does not say what they look like. <a href={addressOf('ask')}>Ask it</a>
      </Heading>
      <h2>Classes</h2>
      <Key classes={schema.classes} />
      <h2>Columns</h2>
      <Columns model={model} />
      <Twin asked={[calls.model(name)]} />
    </>
  );
}

function Generative(): JSX.Element {
  const { name, model, listed } = useShared();
  const { schema } = model;
  const how = useHow();
  const [asked] = useRow();
  const row = Object.keys(asked).length ? asked : typicalRow(schema.columns);
  const effect = calls.predict(name, row, how);
  const answer = useAnswer<{ predictions: Prediction[] }>(effect);
  const posterior = answer.data?.predictions[0];
  const prior = typeof how.prior === 'object' ? how.prior : how.prior === 'uniform' ? even(schema.classes) : model.prior;
  return (
    <>
      <Heading title={<>What the model <em>{name}</em> knows of {schema.target}</>}>
        {model.rows ? <>It has seen {grouped(model.rows)} rows and tells {schema.classes.length} classes apart by {schema.columns.length} column{schema.columns.length === 1 ? '' : 's'}.</>
          : <>A model written by hand: {schema.classes.length} classes, {schema.columns.length} column{schema.columns.length === 1 ? '' : 's'}.</>}
      </Heading>
      <section class="halves" aria-label="classes">
        <div>
          <h2>Classes before anything is seen</h2>
          <p class="fine">Drag a prior; the others give way in proportion.</p>
          <PriorSliders classes={schema.classes} prior={prior} change={setPrior} />
          <p>{how.prior !== undefined && <button type="button" class="quiet" onClick={() => setPrior(undefined)}>back to the model's prior</button>}</p>
        </div>
        <div>
          <h2>And after a row is seen</h2>
          {Object.keys(row).length === 0 ? <p class="fine">Nothing is known of it yet. <a href={addressOf('ask')}>Ask about a row</a></p> : <p class="fine">
            {Object.entries(row).slice(0, 4).map(([column, v]) => `${column} ${value(v, schema.columns.find((c) => c.name === column))}`.slice(0, 60)).join(', ')}
            {Object.keys(row).length > 4 && ' …'} · <a href={addressOf('ask', { row: JSON.stringify(row) })}>ask about it</a>
          </p>}
          <Waiting on={answer} />
          {posterior && <div aria-live="polite"><Bars classes={schema.classes} values={posterior.probabilities} label="posterior probabilities" /></div>}
        </div>
      </section>
      <h2>Columns</h2>
      <Columns model={model} />
      <h2>The model</h2>
      <dl class="facts">
        <Fact name="rows" text={grouped(model.rows)} />
        <Fact name="free parameters" text={grouped(model.parameters)} />
        <Fact name="log-likelihood" text={number(model.log_likelihood, 6)} />
        <Fact name="rule" text={model.rule} />
        <Fact name="prior" text={priorName(model)} />
        <Fact name="calibrated" text={(schema.calibrated ?? model.calibrated) ? 'yes' : 'no'} />
        {(schema.size_bytes ?? model.size_bytes) && <Fact name="size" text={bytes(schema.size_bytes ?? model.size_bytes)} />}
        <Fact name="may learn" text={listed.learn ? 'yes' : 'no'} />
      </dl>
      <History model={model} />
      <Twin asked={[calls.model(name), effect]} />
    </>
  );
}

const even = (classes: string[]): Record<string, number> => Object.fromEntries(classes.map((c) => [c, 1 / classes.length]));

/** The typical value of every column: an example to look at. */
function typicalRow(columns: Column[]): Row {
  const row: Row = {};
  for (const column of columns.slice(0, 50)) {
    const typical = column.typical;
    if (typical !== undefined && typical !== null) row[column.name] = typical;
  }
  return row;
}

function Fact({ name, text }: { name: string; text: string }): JSX.Element {
  return <div><dt>{name}</dt><dd>{text}</dd></div>;
}

const kinds = { number: 'numbers', category: 'words', text: 'text', bag: 'bag of words' };

function Columns({ model }: { model: ModelAnswer }): JSX.Element {
  const [all, setAll] = useState(false);
  const most = all ? 5000 : 30;
  const blocks = new Map<number, number>();
  for (const c of model.schema.columns) blocks.set(c.block, (blocks.get(c.block) ?? 0) + 1);
  const together = [...blocks.values()].some((n) => n > 1);
  const trusted = model.schema.columns.some((c) => c.trust !== undefined);
  const valued = model.schema.columns.some((c) => values(c));
  const parents = new Map((model.columns ?? []).flatMap((c) => c.structure ?? []).map((d) => [d.column, d.parent]));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="columns">
      <table class="columns">
        <thead>
          <tr>
            <th scope="col">column</th><th scope="col">holds</th><th scope="col">family</th>
            {trusted && <th scope="col" class="right">trust</th>}
            {together && <th scope="col">{parents.size ? 'depends on' : 'together with'}</th>}
            {valued && <th scope="col">values</th>}
          </tr>
        </thead>
        <tbody>
          {model.schema.columns.slice(0, most).map((c) => (
            <tr key={c.name}>
              <th scope="row"><a href={addressOf('column', { column: c.name })}><Name text={c.name} /></a></th>
              <td>{kinds[c.kind]}</td>
              <td>{c.family}</td>
              {trusted && <td class="right">{number(c.trust ?? 1, 3)}</td>}
              {together && <td>{parents.size ? parents.get(c.name) : companions(model.schema.columns, c)}</td>}
              {valued && <td class="soft">{values(c)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {model.schema.columns.length > 30 && <button type="button" class="quiet" onClick={() => setAll(!all)}>{all ? 'fewer' : `all ${model.schema.columns.length} columns`}</button>}
    </div>
  );
}

const companions = (columns: Column[], c: Column): string => {
  const names = columns.filter((o) => o !== c && o.block === c.block).map((o) => o.name);
  return names.slice(0, 4).join(', ') + (names.length > 4 ? `, … (${names.length})` : '');
};

function values(column: Column): string {
  if (column.values?.length) return column.values.slice(0, 6).join(', ') + (column.values.length > 6 ? `, … (${column.values.length})` : '');
  if (column.seen) return column.seen.map((x) => numberOf(column, x)).join(' to ');
  // Without rows only the densities say how far they may reach.
  if (column.range) return `about ${column.range.map((x) => numberOf(column, x, 2)).join(' to ')}`;
  return '';
}

function History({ model }: { model: ModelAnswer }): JSX.Element | null {
  const given = model.history ?? model.schema.history;
  const done: Done[] = Array.isArray(given) ? given : (given?.journal ?? []);
  if (done.length === 0) return null;
  return (
    <>
      <h2>What was done to it</h2>
      <ol class="history">
        {done.slice(-20).map((d, i) => (
          <li key={i}>
            <strong>{d.what}</strong> {d.rows ? `${grouped(d.rows)} row${d.rows === 1 ? '' : 's'}` : ''} {d.times > 1 && `× ${d.times}`} <span class="soft">{[d.detail, d.model?.replace(/^journal [0-9a-f]+, change (\d+)$/, 'up to version $1'), d.when].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
