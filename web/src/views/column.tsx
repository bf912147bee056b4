// Column: what each class makes of one column, under any rule, and how much of it the prior is.
import type { JSX } from 'preact';
import { useAnswer } from '../lib/answer';
import { calls } from '../lib/calls';
import { useEngine } from '../lib/engine';
import { setParams, usePlace } from '../lib/route';
import { useHow, useShared } from '../lib/state';
import type { ColumnAnswer } from '../lib/types';
import { HowControls, Range, Select, Switch } from '../parts/controls';
import { Curves } from '../parts/curves';
import { ValueBars } from '../parts/value_bars';
import { Words } from '../parts/words';
import { Heading, Name, Waiting } from '../parts/note';
import { Twin } from '../parts/twin';

export function ColumnView(): JSX.Element {
  const { name, model } = useShared();
  const engine = useEngine();
  const { params } = usePlace();
  const how = useHow();
  const columns = model.schema.columns;
  const chosen = columns.find((c) => c.name === params.get('column')) ?? columns[0];
  const strength = params.get('strength') ?? undefined;
  const scaled = params.get('scaled') === 'yes';
  const asked = chosen ? calls.column(name, chosen.name, how, { strength, points: 201, words: 25 }) : null;
  const answer = useAnswer<ColumnAnswer>(asked);
  if (!chosen) return <Heading title="No columns">This model has classes alone.</Heading>;
  const at = columns.indexOf(chosen);
  const data = answer.data?.column === chosen.name ? answer.data : undefined;
  const rule = how.rule ?? model.rule;
  const step = (by: number): void => setParams({ column: columns[(at + by + columns.length) % columns.length]?.name });
  return (
    <>
      <Heading title={<em><Name text={chosen.name} /></em>}>
        {chosen.family}; {chosen.kind === 'number' ? 'how its values spread in each class' : chosen.kind === 'category' ? 'how probable each value is in each class' : 'which words speak for which class'}.
      </Heading>
      <div class="controls">
        {columns.length > 1 && (
          <span class="stepper">
            <button type="button" onClick={() => step(-1)} aria-label="the column before">‹</button>
            <Select label="Column" value={chosen.name} options={columns.map((c) => c.name)} change={(column) => setParams({ column })} />
            <button type="button" onClick={() => step(1)} aria-label="the next column">›</button>
          </span>
        )}
        <HowControls prior={false} />
        {engine.live && !rule.startsWith('mle') && !rule.startsWith('unbiased') && (
          <Range
            label="Strength of the prior"
            name="strength"
            min={-2}
            max={3}
            step={0.05}
            value={strength ? Math.log10(Number(strength)) : 0}
            shown={strength ? `× ${Number(Number(strength).toPrecision(3))}` : "the model's"}
            change={(x) => setParams({ strength: Math.abs(x) < 0.025 ? undefined : String(Number((10 ** x).toPrecision(3))) })}
          />
        )}
        {data && !data.words && <Switch label="times the class's prior" on={scaled} change={(on) => setParams({ scaled: on ? 'yes' : undefined })} />}
      </div>
      <Waiting on={answer} />
      {data?.curve && <Curves answer={data} column={chosen} prior={scaled ? (data.prior ?? model.prior) : undefined} />}
      {data?.table && <ValueBars answer={data} prior={scaled ? (data.prior ?? model.prior) : undefined} />}
      {data?.words && <Words answer={data} />}
      <Twin asked={[asked]} />
    </>
  );
}
