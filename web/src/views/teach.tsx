// Teach: add rows, forget rows, see what moved, take it back.
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { askAgain, useAnswer } from '../lib/answer';
import { calls, isOut, type Call } from '../lib/calls';
import { Failure, useEngine } from '../lib/engine';
import { grouped, number } from '../lib/format';
import { useHow, useRow, useShared } from '../lib/state';
import type { ByClass, Change, ChangeAnswer, DataRow, InfluenceAnswer, Prediction, Row, RowsAnswer } from '../lib/types';
import { Bars } from '../parts/bars';
import { Select } from '../parts/controls';
import { RowForm } from '../parts/form';
import { Influence } from '../parts/influence';
import { Heading, Note, Waiting } from '../parts/note';
import { Pager } from '../parts/pager';
import { RowTable, without } from '../parts/row_table';
import { CommandLine, Twin } from '../parts/twin';

const atOnce = 50;

export function Teach(): JSX.Element {
  const { name, listed, model } = useShared();
  const { schema } = model;
  const engine = useEngine();
  const how = useHow();
  const [row, setRow] = useRow();
  const [label, setLabel] = useState(schema.classes[0] ?? '');
  const [before, setBefore] = useState<ByClass>();
  const [said, setSaid] = useState<string>();
  const [failed, setFailed] = useState<string>();
  const [looked, setLooked] = useState<DataRow>();
  const [from, setFrom] = useState(0);
  const working = useRef(false);
  const changesAsked = listed.learn ? calls.changes(name) : null;
  const changes = useAnswer<Change[]>(changesAsked);
  const rowsAsked = listed.data ? calls.rows(name, { from, count: atOnce }) : null;
  const rows = useAnswer<RowsAnswer>(rowsAsked);
  const probe = calls.predict(name, row, how);
  const prediction = useAnswer<{ predictions: Prediction[] }>(probe);
  const influenceAsked = looked ? calls.influence(name, { ...without(looked.row, schema.target), [schema.target]: looked.label }) : null;
  const influence = useAnswer<InfluenceAnswer>(influenceAsked, false);
  const now = prediction.data?.predictions[0]?.probabilities;

  const change = async (call: Call, sentence: string): Promise<void> => {
    if (working.current) return;
    working.current = true;
    setFailed(undefined);
    try {
      const was = now;
      // An answer that got lost is asked for once more; the key keeps the change from being made twice.
      const answer = await engine.ask<ChangeAnswer>(call).catch((error: unknown) => {
        if (error instanceof Failure && error.status === 0) return engine.ask<ChangeAnswer>(call);
        throw error;
      });
      setBefore(was);
      setSaid(`${sentence} It now rests on ${grouped(answer.rows)} rows (version ${answer.version}).`);
      askAgain();
    } catch (error) {
      setFailed(error instanceof Failure ? error.message : String(error));
    } finally {
      working.current = false;
    }
  };
  const taught = (values: Row, truth: string | null): Row => ({ ...without(values, schema.target), [schema.target]: truth });
  const out = (index: number): boolean => isOut(changes.data ?? [], index);
  const undoable = (changes.data ?? []).some((c) => c.kind !== 'undo' && !c.undone);
  return (
    <>
      <Heading title="Teach the model">
        It keeps counts, not parameters: a row that is added or forgotten changes it exactly as if it had always, or never, been there.
      </Heading>
      {!listed.learn && (
        <>
          <Note>This server does not learn. Start it so, and it does:</Note>
          <CommandLine text={`credence serve ${name}.credence --learn`} />
        </>
      )}
      <div class="ask">
        <section aria-label="a row to teach">
          <h2>A row and its class</h2>
          <RowForm columns={schema.columns} row={row} change={setRow} />
          <Select label={schema.target} value={label} options={schema.classes} change={setLabel} />
          {listed.learn && (
            <p class="buttons">
              <button type="button" class="main" onClick={() => void change(calls.update(name, [taught(row, label)]), 'Learnt.')}>Learn it</button>
              <button type="button" onClick={() => void change(calls.forget(name, [taught(row, label)]), 'Forgotten.')}>Forget it</button>
              <button type="button" disabled={!undoable} onClick={() => void change(calls.undo(name), 'Taken back.')}>Undo</button>
            </p>
          )}
        </section>
        <section class="verdict" aria-label="what moved">
          <h2>What the model now says of this row</h2>
          <Waiting on={prediction} />
          {now && <Bars classes={schema.classes} values={now} label="posterior probabilities" {...(before ? { before } : {})} />}
          {before && <p class="fine">The thin lines are where it was before the last change.</p>}
          <p role="status" class="said">{said}</p>
          {failed && <p class="refused" role="alert">{failed}</p>}
          {changes.data && changes.data.length > 0 && <Journal changes={changes.data} />}
        </section>
      </div>
      {listed.data && (
        <section aria-label="rows">
          <h2>Rows it was given</h2>
          <p class="fine">“Influence” takes a row out, exactly, and shows what the rest would say of it.</p>
          <Waiting on={rows} />
          {looked && <Waiting on={influence} />}
          {looked && influence.data && <Influence row={looked} answer={influence.data} classes={schema.classes} close={() => setLooked(undefined)} />}
          {rows.data && (
            <RowTable
              rows={rows.data.rows}
              classes={schema.classes}
              columns={schema.columns}
              target={schema.target}
              action={(r) => (
                <>
                  {!out(r.index) && <button type="button" class="quiet" onClick={() => setLooked(r)}>influence<span class="hidden-text"> of row {r.index + 1}</span></button>}
                  {listed.learn && !out(r.index) && <button type="button" class="quiet" onClick={() => void change(calls.forget(name, [taught(r.row, r.label)], r.index), `Row ${r.index + 1} is forgotten.`)}>forget<span class="hidden-text"> row {r.index + 1}</span></button>}
                  {listed.learn && out(r.index) && <button type="button" class="quiet" onClick={() => void change(calls.update(name, [taught(r.row, r.label)], r.index), `Row ${r.index + 1} is learnt again.`)}>put back<span class="hidden-text"> row {r.index + 1}</span></button>}
                </>
              )}
            />
          )}
          {rows.data && <Pager from={from} count={atOnce} total={rows.data.total} go={setFrom} />}
        </section>
      )}
      <Twin asked={[probe, changesAsked, rowsAsked, influenceAsked]} />
    </>
  );
}

function Journal({ changes }: { changes: Change[] }): JSX.Element {
  return (
    <>
      <h3>Changes</h3>
      <ol class="history" reversed start={changes[0]?.version}>
        {changes.slice(0, 8).map((c) => (
          <li key={c.version} class={c.undone ? 'undone' : undefined}><strong>{c.kind}</strong> {number(c.rows)} row{c.rows === 1 ? '' : 's'} <span class="soft">version {c.version}{c.time && ` · ${c.time.replace('T', ' ').slice(0, 19)}`}</span></li>
        ))}
      </ol>
    </>
  );
}
