// A row as a form, made from the schema. Every field may be left out: a missing value is no evidence.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { date, daysOf, isDate, numberOf } from '../lib/format';
import { withValue } from '../lib/state';
import type { Column, Row, Value } from '../lib/types';
import { Name } from './note';

interface Props {
  columns: Column[];
  row: Row;
  change: (row: Row) => void;
  most?: number;
}

export function RowForm({ columns, row, change, most = 24 }: Props): JSX.Element {
  const [filter, setFilter] = useState('');
  const [all, setAll] = useState(false);
  const wanted = filter ? columns.filter((c) => c.name.toLowerCase().includes(filter.toLowerCase())) : columns;
  const shown = all ? wanted : wanted.filter((c, i) => i < most || row[c.name] !== undefined);
  return (
    <form class="row-form" onSubmit={(event) => event.preventDefault()}>
      {columns.length > most && (
        <label class="field">
          <span>Find a column</span>
          <input type="search" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        </label>
      )}
      {shown.map((column) => (
        <Field key={column.name} column={column} value={row[column.name] ?? null} change={(v) => change(withValue(row, column.name, v))} />
      ))}
      {shown.length < wanted.length && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>all {wanted.length} columns</button>
      )}
    </form>
  );
}

interface FieldProps {
  column: Column;
  value: Value;
  change: (value: Value) => void;
}

function Field({ column, value, change }: FieldProps): JSX.Element {
  if (column.kind === 'number') return <NumberField column={column} value={value} change={change} />;
  if (column.kind === 'category' && column.values && column.values.length <= 200) {
    return (
      <label class="field">
        <span><Name text={column.name} /></span>
        <select value={value === null ? '' : String(value)} onChange={(event) => change(event.currentTarget.value || null)}>
          <option value="">missing</option>
          {column.values.map((v) => <option key={v} value={v}>{v}</option>)}
        </select>
      </label>
    );
  }
  if (column.kind === 'text') {
    return (
      <label class="field tall">
        <span>{column.name}</span>
        <textarea rows={5} value={typeof value === 'string' ? value : ''} onInput={(event) => change(event.currentTarget.value || null)} />
      </label>
    );
  }
  return <WordsField column={column} value={value} change={change} />;
}

function NumberField({ column, value, change }: FieldProps): JSX.Element {
  const reach = column.range ?? column.seen;
  const [low, high] = reach ?? [0, 1];
  const dated = isDate(column);
  const step = dated ? 1 : niceStep(high - low);
  const there = typeof value === 'number';
  return (
    <div class={dated ? 'field number dated' : 'field number'} role="group" aria-label={column.name}>
      <label>
        <span><Name text={column.name} /></span>
        {dated ? (
          <input type="date" value={there ? date(value).slice(0, 10) : ''} onInput={(event) => change(daysOf(event.currentTarget.value))} />
        ) : (
          <input
            type="number"
            step="any"
            placeholder="missing"
            value={there ? value : ''}
            onInput={(event) => change(event.currentTarget.value === '' ? null : event.currentTarget.valueAsNumber)}
          />
        )}
      </label>
      {reach ? <input
        type="range"
        class={there ? undefined : 'unset'}
        aria-label={`${column.name}, slider`}
        aria-valuetext={there ? numberOf(column, value, 12) : 'missing'}
        min={Number((Math.floor(low / step) * step).toPrecision(12))}
        max={Number((Math.ceil(high / step) * step).toPrecision(12))}
        step={step}
        value={there ? value : (low + high) / 2}
        onInput={(event) => change(Number(event.currentTarget.valueAsNumber.toPrecision(12)))}
      /> : <span />}
      <button type="button" class="clear" disabled={!there} aria-label={`${column.name}: missing`} onClick={() => change(null)}>×</button>
    </div>
  );
}

/** Words or a category of many values: typed in. */
function WordsField({ column, value, change }: FieldProps): JSX.Element {
  const bag = column.kind === 'bag';
  const text = Array.isArray(value) ? value.join(' ') : typeof value === 'object' && value ? Object.keys(value).join(' ') : (value ?? '');
  const [typed, setTyped] = useState(String(text));
  return (
    <label class="field">
      <span><Name text={column.name} /></span>
      <input
        type="text"
        placeholder={bag ? 'words, or missing' : 'missing'}
        value={typed}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setTyped(next);
          const words = next.split(/\s+/).filter(Boolean);
          change(bag ? (words.length ? words : null) : next || null);
        }}
      />
    </label>
  );
}

/** A round step, about 200 of them in a span. */
export function niceStep(span: number): number {
  if (!(span > 0)) return 0.01;
  const size = 10 ** Math.floor(Math.log10(span / 200));
  return [1, 2, 5, 10].map((m) => m * size).find((s) => s >= span / 200) ?? size;
}
