// Rows that are documents: each as it was written, its words shaded by what they say.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { grouped, probability, value } from '../lib/format';
import { addressOf } from '../lib/route';
import type { DataRow } from '../lib/types';
import { ClassName } from './bars';
import { MarkedKey, MarkedText } from './marked';
import { type RowsShown, without } from './row_table';

// More of a document than this is folded away.
const longest = 600;

export function Documents({ rows, classes, columns, target }: RowsShown): JSX.Element {
  // What the colours say is told once where it is the same for all.
  const pairs = new Set(rows.filter((r) => r.documents).map((r) => JSON.stringify([r.class, r.against])));
  const [same] = pairs.size === 1 ? pairs : [];
  const keyed = same ? <Shades names={JSON.parse(same) as [string, string]} classes={classes} /> : null;
  return (
    <>
      {keyed}
      <ol class="documents">
        {rows.map((row) => <li key={row.index}><Document row={row} classes={classes} columns={columns} target={target} keyed={!same} /></li>)}
      </ol>
    </>
  );
}

function Shades({ names, classes }: { names: [string, string]; classes: string[] }): JSX.Element {
  return <MarkedKey names={names} pair={[classes.indexOf(names[0]), classes.indexOf(names[1])]} />;
}

function Document({ row, classes, columns, target, keyed }: Omit<RowsShown, 'rows'> & { row: DataRow; keyed: boolean }): JSX.Element {
  const documents = row.documents ?? [];
  const shown = new Set(documents.map((d) => d.column));
  const others = Object.entries(row.row).filter(([name, v]) => name !== target && !shown.has(name) && v !== null && typeof v !== 'object');
  const names: [string, string] = [row.class ?? '', row.against ?? ''];
  const pair: [number, number] = [classes.indexOf(names[0]), classes.indexOf(names[1])];
  return (
    <article aria-label={`row ${row.index + 1}`}>
      <p class="document-head">
        <strong>row {grouped(row.index + 1)}</strong>
        <ClassName name={row.label ?? '–'} index={classes.indexOf(row.label ?? '')} />
        <span class="soft">{row.predicted ? `taken for ${row.predicted}, P = ${probability(row.probabilities[row.predicted])}` : 'no decision'}</span>
        <a href={addressOf('ask', { row: JSON.stringify(without(row.row, target)) })}>ask<span class="hidden-text"> about row {row.index + 1}</span></a>
      </p>
      {others.length > 0 && <p class="fine">{others.map(([name, v]) => `${name}: ${value(v, columns.find((c) => c.name === name))}`).join(' · ')}</p>}
      {documents.length === 0 && <p class="fine">It has no text.</p>}
      {documents.map((d) => (
        <div key={d.column}>
          {documents.length > 1 && <h3>{d.column}</h3>}
          <Folded text={d.text} tokens={d.words.map((w) => ({ start: w.at, end: w.at + w.length, weight: w.weight }))} pair={pair} />
        </div>
      ))}
      {keyed && documents.length > 0 && <MarkedKey names={names} pair={pair} />}
    </article>
  );
}

function Folded({ text, tokens, pair }: Parameters<typeof MarkedText>[0]): JSX.Element {
  const [all, setAll] = useState(false);
  // A word, and a character outside the first plane, stays whole.
  const cut = text.length > longest && !all ? text.lastIndexOf(' ', longest) : -1;
  const end = cut > longest / 2 ? cut : longest - (/[\uD800-\uDBFF]/.test(text[longest - 1] ?? '') ? 1 : 0);
  const folded = text.length > longest && !all;
  const bytes = folded ? new TextEncoder().encode(text.slice(0, end)).length : Infinity;
  return (
    <>
      <MarkedText text={folded ? text.slice(0, end) : text} tokens={folded ? tokens.filter((t) => t.end <= bytes) : tokens} pair={pair} />
      {text.length > longest && <button type="button" class="quiet" onClick={() => setAll(!all)}>{all ? 'less' : `all ${grouped(text.length)} characters`}</button>}
    </>
  );
}
