// Text: a document, every word shaded by what it says.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAnswer } from '../lib/answer';
import { calls } from '../lib/calls';
import { nats } from '../lib/format';
import { usePlace } from '../lib/route';
import { useShared } from '../lib/state';
import type { MarkAnswer } from '../lib/types';
import { Bars } from '../parts/bars';
import { Select } from '../parts/controls';
import { Table } from '../parts/figure';
import { MarkedKey, MarkedText } from '../parts/marked';
import { Heading, Note, Waiting } from '../parts/note';
import { Twin } from '../parts/twin';

export function TextView(): JSX.Element {
  const { name, model } = useShared();
  const columns = model.schema.columns.filter((c) => c.kind === 'text');
  const [text, setText] = useState(usePlace().params.get('text') ?? '');
  const [column, setColumn] = useState(columns[0]?.name);
  const asked = text.trim() && column ? calls.mark(name, text, columns.length > 1 ? column : undefined) : null;
  const answer = useAnswer<MarkAnswer>(asked);
  if (!column) return <Heading title="Text">This model reads no text.</Heading>;
  return (
    <>
      <Heading title="Mark a document">Paste a text: every word is shaded by the class it speaks for, the stronger the more it says.</Heading>
      {columns.length > 1 && <div class="controls"><Select label="Column" value={column} options={columns.map((c) => c.name)} change={setColumn} /></div>}
      <label class="field tall document">
        <span>Document</span>
        <textarea rows={5} value={text} placeholder="Paste or type here" onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      {!text.trim() && <Note>Nothing to read yet.</Note>}
      {asked && <Waiting on={answer} />}
      {asked && answer.data && <Marked text={text} answer={answer.data} classes={model.schema.classes} />}
      <Twin asked={[asked]} />
    </>
  );
}

function Marked({ text, answer, classes }: { text: string; answer: MarkAnswer; classes: string[] }): JSX.Element {
  const pair: [number, number] = [classes.indexOf(answer.class), classes.indexOf(answer.against)];
  const words = new Map<string, { n: number; weight: number }>();
  for (const token of answer.tokens) {
    const seen = words.get(token.word) ?? { n: 0, weight: 0 };
    words.set(token.word, { n: seen.n + 1, weight: seen.weight + (token.weight ?? 0) });
  }
  const strongest = [...words].filter(([, w]) => Math.abs(w.weight) >= 0.005).sort((a, b) => Math.abs(b[1].weight) - Math.abs(a[1].weight)).slice(0, 20);
  return (
    <div class="halves">
      <div>
        <div aria-live="polite">
          <h2>It looks like {answer.label ?? 'nothing certain'}</h2>
          <Bars classes={classes} values={answer.probabilities} label="posterior probabilities" />
        </div>
        <MarkedText text={text} tokens={answer.tokens} pair={pair} />
        <MarkedKey names={[answer.class, answer.against]} pair={pair} />
      </div>
      <div>
        <h2>The words that say most</h2>
        <Table head={['word', 'times', `nats for ${answer.class}`]} rows={strongest.map(([word, w]) => [word, w.n, nats(w.weight)])} />
      </div>
    </div>
  );
}
