// Plane: two columns at once. Colour is the posterior, lines are densities, the heavy lines are where the decision changes.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAnswer } from '../lib/answer';
import { calls } from '../lib/calls';
import { combosCall, combosPlane } from '../lib/combos';
import { grouped, number, value } from '../lib/format';
import { addressOf, setParams, usePlace } from '../lib/route';
import { useHow, useShared } from '../lib/state';
import type { Column, ExplainAnswer, PlaneAnswer, Prediction, Row, RowsAnswer } from '../lib/types';
import { Bars, Key } from '../parts/bars';
import { HowControls, Select, Switch } from '../parts/controls';
import { Evidence } from '../parts/evidence';
import { Heading, Name, Note, Waiting } from '../parts/note';
import { PlaneMap } from '../parts/plane_map';
import { Twin } from '../parts/twin';

export function Plane(): JSX.Element {
  const { name, model, listed } = useShared();
  const { classes } = model.schema;
  const how = useHow();
  const { params } = usePlace();
  const usable = model.schema.columns.filter((c) => c.kind === 'number' || c.kind === 'category');
  const [first, second] = pickTwo(usable, params.get('x'), params.get('y'));
  const independent = params.get('independent') === 'yes';
  const [point, setPoint] = useState<Row>();
  const [across, up] = [usable.find((c) => c.name === first), usable.find((c) => c.name === second)];
  const words = across?.kind === 'category' || up?.kind === 'category';
  const body = { x: first ?? '', y: second ?? '', size: 80, ...(independent ? { independent } : {}), ...how };
  const asked = !across || !up ? null : words ? combosCall(name, across, up, how) : calls.plane(name, body);
  const answer = useAnswer<PlaneAnswer | { predictions: Prediction[] }>(asked, false);
  const data = answer.data;
  const plane = data && ('posterior' in data ? data : across && up ? combosPlane(across, up, classes, data.predictions) : undefined);
  const rowsAsked = listed.data ? calls.rows(name, { from: 0, count: 2000 }) : null;
  const rows = useAnswer<RowsAnswer>(rowsAsked);
  const explainAsked = point ? calls.explain(name, point, how) : null;
  const explained = useAnswer<ExplainAnswer>(explainAsked);
  if (!first || !second) return <Heading title="The plane">A plane takes two columns of numbers or words; this model has {usable.length}.</Heading>;
  const names = usable.map((c) => c.name);
  const together = across?.block === up?.block;
  const choose = (changes: Record<string, string>): void => {
    setPoint(undefined);
    setParams(changes);
  };
  return (
    <>
      <Heading title={<><em><Name text={first} /></em> and <em><Name text={second} /></em></>}>
        Each colour is a class, the stronger the more certain{words ? '.' : '; the heavy lines are where the decision changes, the thin ones how dense each class is.'} {!together && 'Within a class the model takes the two as independent.'}
      </Heading>
      <div class="controls">
        <Select label="Across" value={first} options={names.filter((n) => n !== second)} change={(x) => choose({ x, y: second })} />
        <Select label="Up" value={second} options={names.filter((n) => n !== first)} change={(y) => choose({ x: first, y })} />
        {together && <Switch label="as if independent" on={independent} change={(on) => setParams({ independent: on ? 'yes' : undefined })} />}
        <HowControls />
      </div>
      <Waiting on={answer} />
      {plane && (
        <div class="plane">
          <div>
            <Key classes={classes} />
            <PlaneMap answer={plane} names={[first, second]} columns={[across, up]} data={rows.data?.rows ?? []} point={point} pick={setPoint} />
            {rows.data?.rows.some((r) => r.predicted !== r.label) && <p class="fine">Ringed: rows that are taken for another class.</p>}
            {rows.data && rows.data.total > rows.data.rows.length && <p class="fine">The first {grouped(rows.data.rows.length)} of {grouped(rows.data.total)} rows are drawn.</p>}
          </div>
          <aside aria-label="the point">
            <Pick names={[first, second]} answer={plane} point={point} pick={setPoint} />
            {!point && <Note>Click into the plane, or type two values, and the point is explained.</Note>}
            {point && <Waiting on={explained} />}
            {point && explained.data && (
              <div aria-live="polite">
                <Bars classes={classes} values={explained.data.probabilities} label="posterior probabilities at the point" />
                <Evidence answer={explained.data} />
                <p><a href={addressOf('ask', { row: JSON.stringify(point) })}>Ask about this row</a></p>
              </div>
            )}
          </aside>
        </div>
      )}
      <Twin asked={[asked, rowsAsked, explainAsked]} />
    </>
  );
}

/** The columns of the address, or the first two that hold numbers, or words. */
function pickTwo(columns: Column[], x: string | null, y: string | null): [string?, string?] {
  const names = [...columns].sort((a, b) => Number(b.kind === 'number') - Number(a.kind === 'number')).map((c) => c.name);
  const first = x && names.includes(x) ? x : names.find((n) => n !== y);
  const second = y && names.includes(y) && y !== first ? y : names.find((n) => n !== first);
  return [first, second];
}

interface PickProps {
  names: [string, string];
  answer: PlaneAnswer;
  point: Row | undefined;
  pick: (row: Row) => void;
}

/** The point as two fields: what a click does, for the keyboard. */
function Pick({ names, answer, point, pick }: PickProps): JSX.Element {
  const others = point ? Object.keys(point).filter((n) => !names.includes(n)) : [];
  const field = (i: 0 | 1): JSX.Element => {
    const name = names[i];
    const places = i === 0 ? answer.x : answer.y;
    const middle = places[Math.floor(places.length / 2)] ?? 0;
    const other = names[1 - i] ?? '';
    const otherPlaces = i === 0 ? answer.y : answer.x;
    const start: Row = point ?? { [other]: otherPlaces[Math.floor(otherPlaces.length / 2)] ?? 0 };
    const now = point?.[name] ?? middle;
    if (typeof middle === 'string') {
      return <Select key={name} label={name} value={String(now)} options={places.map(String)} change={(v) => pick({ ...start, [name]: v })} />;
    }
    return (
      <label key={name} class="field">
        <span>{name}</span>
        <input type="number" step="any" value={point ? Number(Number(now).toPrecision(6)) : ''} placeholder={number(Number(middle))} onInput={(event) => Number.isFinite(event.currentTarget.valueAsNumber) && pick({ ...start, [name]: event.currentTarget.valueAsNumber })} />
      </label>
    );
  };
  return (
    <>
      <div class="pick">{field(0)}{field(1)}</div>
      {others.length > 0 && <p class="fine">with {others.slice(0, 6).map((n) => `${n} ${value(point?.[n])}`).join(', ')}</p>}
    </>
  );
}
