// Compare: two models, or one before and after, side by side: where they disagree, and why.
import type { JSX } from 'preact';
import { useAnswer } from '../lib/answer';
import { calls } from '../lib/calls';
import { grouped, number, percent, probability, value } from '../lib/format';
import { addressOf, setParams, usePlace } from '../lib/route';
import { useShared } from '../lib/state';
import type { Change, Column, CompareAnswer } from '../lib/types';
import { Select } from '../parts/controls';
import { Table } from '../parts/figure';
import { Heading, Note, Waiting } from '../parts/note';
import { without } from '../parts/row_table';
import { Twin } from '../parts/twin';

export function Compare(): JSX.Element {
  const { name, model, listed, models } = useShared();
  const { params } = usePlace();
  const target = model.schema.target;
  const changes = useAnswer<Change[]>(listed.learn ? calls.changes(name) : null);
  const others = models.filter((m) => m.name !== name && m.target === target).map((m): [string, string] => [m.name, m.name]);
  const older: [string, string][] = [];
  if (changes.data?.length) {
    older.push(['@0', 'version 0, as the server started']);
    for (const c of changes.data.slice(1, 30)) older.push([`@${c.version}`, `version ${c.version}`]);
  }
  const options = [...others, ...older];
  const chosen = options.find(([id]) => id === params.get('with'))?.[0] ?? options[0]?.[0];
  const asked = chosen ? calls.compare(name, chosen.startsWith('@') ? Number(chosen.slice(1)) : chosen) : null;
  const answer = useAnswer<CompareAnswer>(asked);
  const label = chosen?.startsWith('@') ? `version ${chosen.slice(1)}` : (chosen ?? '');
  return (
    <>
      <Heading title="Two models side by side">Where they give different answers, and which of their numbers differ most.</Heading>
      {options.length === 0 && (
        <Note>There is nothing to compare <em>{name}</em> with: serve a second model of {target}, or teach this one and compare it with what it was. <a href={addressOf('teach')}>Teach it</a></Note>
      )}
      {options.length > 0 && chosen && (
        <div class="controls"><Select label={`${name} with`} value={chosen} options={options} change={(v) => setParams({ with: v })} /></div>
      )}
      {asked && <Waiting on={answer} />}
      {asked && answer.data && (
        <>
          {answer.data.total > 0 && <p class="decision">They agree on <strong>{grouped(answer.data.agree)}</strong> of {grouped(answer.data.total)} rows ({percent(answer.data.agree / answer.data.total)}).</p>}
          <Parameters answer={answer.data} names={[name, label]} />
          {answer.data.total === 0 && <Note>The server has no rows to compare on; start it with --data.</Note>}
          {answer.data.disagree.length > 0 && <Disagreements answer={answer.data} names={[name, label]} known={model.schema.columns} target={target} />}
        </>
      )}
      <Twin asked={[asked]} />
    </>
  );
}

function Disagreements({ answer, names, known, target }: { answer: CompareAnswer; names: [string, string]; known: Column[]; target: string }): JSX.Element {
  const columns = Object.keys(answer.disagree[0]?.row ?? {}).filter((c) => c !== target).slice(0, 6);
  return (
    <>
      <h2>Rows they disagree on</h2>
      <div class="scroll tall" tabIndex={0} role="region" aria-label="rows they disagree on">
        <table class="rows">
          <thead><tr><th scope="col">{target}</th><th scope="col">{names[0]}</th><th scope="col">{names[1]}</th>{columns.map((c) => <th key={c} scope="col" class={typeof answer.disagree[0]?.row[c] === 'number' ? 'right' : undefined}>{c}</th>)}<th scope="col"><span class="hidden-text">what to do</span></th></tr></thead>
          <tbody>
            {answer.disagree.slice(0, 100).map((d, i) => (
              <tr key={i}>
                <th scope="row">{value(d.truth ?? d.row[target])}</th>
                {[d.a, d.b].map((p, k) => <td key={k}>{p.label ?? 'none'} <span class="soft">{probability(p.probabilities[p.label ?? ''])}</span></td>)}
                {columns.map((c) => <td key={c} class={typeof d.row[c] === 'number' ? 'right' : undefined}>{value(d.row[c], known.find((k) => k.name === c)).slice(0, 60)}</td>)}
                <td class="do"><a href={addressOf('ask', { row: JSON.stringify(without(d.row, target)) })}>ask<span class="hidden-text"> about row {i + 1}</span></a></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Parameters({ answer, names }: { answer: CompareAnswer; names: [string, string] }): JSX.Element | null {
  if (answer.parameters.length === 0) return null;
  return (
    <>
      <h2>Numbers that differ most</h2>
      <Table
        head={['parameter', 'class', names[0], names[1], 'difference']}
        rows={answer.parameters.slice(0, 30).map((p) => [[p.column, p.value].filter(Boolean).join(' '), p.class, number(p.a), number(p.b), number((p.b ?? 0) - (p.a ?? 0), 3)])}
      />
    </>
  );
}
