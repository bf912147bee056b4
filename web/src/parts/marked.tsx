// A text with every word shaded by the class it speaks for.
import type { JSX } from 'preact';
import { classColour } from '../lib/colours';
import { nats } from '../lib/format';
import { marks, type Token } from '../lib/marks';
import { ClassName } from './bars';

interface Props {
  text: string;
  tokens: Token[];
  /** The classes' places: what weighs above 0 speaks for the first. */
  pair: [number, number];
}

export function MarkedText({ text, tokens, pair }: Props): JSX.Element {
  const pieces = marks(text, tokens);
  const largest = Math.max(0.5, ...pieces.map((p) => Math.abs(p.weight)));
  const shade = (weight: number): string =>
    `color-mix(in srgb, ${classColour(weight > 0 ? pair[0] : pair[1])} ${Math.round(8 + (52 * Math.abs(weight)) / largest)}%, transparent)`;
  return (
    <p class="marked">
      {pieces.map((piece, i) =>
        piece.weight === 0 ? piece.text : (
          <mark key={i} title={`${piece.text}: ${nats(piece.weight)}`} style={{ background: shade(piece.weight) }}>{piece.text}</mark>
        ),
      )}
    </p>
  );
}

export function MarkedKey({ names, pair }: { names: [string, string]; pair: [number, number] }): JSX.Element {
  return <p class="key">{names.map((name, i) => <ClassName key={name} name={`speaks for ${name}`} index={pair[i] ?? 0} />)}</p>;
}
