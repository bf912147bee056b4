// Rows of data as a table: truth, decision, how sure, and the values.
import type { ComponentChildren, JSX } from 'preact';
import { probability, value } from '../lib/format';
import { addressOf } from '../lib/route';
import type { Column, DataRow, Row } from '../lib/types';
import { ClassName } from './bars';

/** Some rows of data. */
export interface RowsShown {
  rows: DataRow[];
  classes: string[];
  /** The model's columns, which say how values are written. */
  columns: Column[];
  target: string;
}

interface Props extends RowsShown {
  /** What can be done with a row, besides asking about it. */
  action?: (row: DataRow) => ComponentChildren;
  most?: number;
}

export function RowTable({ rows, classes, columns: known, target, action, most = 8 }: Props): JSX.Element {
  const columns = Object.keys(rows[0]?.row ?? {}).filter((c) => c !== target).slice(0, most);
  return (
    <>
      <div class="scroll tall" tabIndex={0} role="region" aria-label="rows">
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">row</th><th scope="col">{target}</th><th scope="col">decision</th><th scope="col" class="right">P</th>
              {columns.map((c) => <th key={c} scope="col" class={typeof rows[0]?.row[c] === 'number' ? 'right' : undefined}>{c}</th>)}
              <th scope="col"><span class="hidden-text">what to do</span></th>
            </tr>
          </thead>
          <tbody>
            {rows.map((r) => (
              <tr key={r.index}>
                <th scope="row">{r.index + 1}</th>
                <td><ClassName name={r.label ?? '–'} index={classes.indexOf(r.label ?? '')} /></td>
                <td>{r.predicted === r.label ? <span class="soft">{r.predicted}</span> : <strong>{r.predicted ?? 'none'}</strong>}</td>
                <td class="right">{probability(r.probabilities[r.predicted ?? ''] ?? null)}</td>
                {columns.map((c) => <td key={c} class={typeof r.row[c] === 'number' ? 'right' : undefined}>{value(r.row[c], known.find((k) => k.name === c)).slice(0, 80)}</td>)}
                <td class="do"><a href={addressOf('ask', { row: JSON.stringify(without(r.row, target)) })}>ask<span class="hidden-text"> about row {r.index + 1}</span></a>{action?.(r)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** A row without its class and without what is missing. */
export function without(row: Row, target: string): Row {
  return Object.fromEntries(Object.entries(row).filter(([name, v]) => name !== target && v !== null && v !== ''));
}
