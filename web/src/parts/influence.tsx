// What one row does to a model: what it says with the row and without it.
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { number } from '../lib/format';
import type { DataRow, InfluenceAnswer } from '../lib/types';
import { Bars } from './bars';
import { Table } from './figure';

interface Props {
  row: DataRow;
  answer: InfluenceAnswer;
  classes: string[];
  close: () => void;
}

export function Influence({ row, answer, classes, close }: Props): JSX.Element {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.scrollIntoView({ block: 'nearest' }), [row.index]);
  return (
    <aside class="panel" ref={ref} aria-label={`influence of row ${row.index + 1}`}>
      <div class="section-head">
        <h3>Without row {row.index + 1}</h3>
        <button type="button" class="quiet" onClick={close}>close</button>
      </div>
      <div class="halves">
        <div>
          <Bars classes={classes} values={answer.without} before={answer.with} label="posterior without the row" />
          <p class="fine">Bars: what the other rows say of it. Thin lines: with the row itself. It is {row.label}.</p>
        </div>
        <Table
          head={['parameter', 'with', 'without']}
          rows={answer.moved.slice(0, 12).map((m) => [`${[m.column, m.parameter].filter(Boolean).join(' ')}${m.class ? ` | ${m.class}` : ''}`, number(m.from), number(m.to)])}
        />
      </div>
    </aside>
  );
}
