// The words of a text or a bag that say most: for every class those that speak for it.
import type { JSX } from 'preact';
import { classColour } from '../lib/colours';
import { nats, probability } from '../lib/format';
import type { ColumnAnswer } from '../lib/types';
import { ClassName } from './bars';
import { Figure } from './figure';

export function Words({ answer, most = 15 }: { answer: ColumnAnswer; most?: number }): JSX.Element {
  const words = answer.words ?? [];
  const { classes } = answer;
  return (
    <Figure
      caption="Bars: log-odds of a word for the class, in nats; beside them its probability there."
      table={{
        head: ['word', ...classes.flatMap((c) => [`weight for ${c}`, `P in ${c}`])],
        rows: words.map((w) => [w.word, ...classes.flatMap((c) => [nats(w.weight[c]), probability(w.probability[c])])]),
      }}
    >
      <div class="word-lists">
        {classes.map((name, i) => {
          const best = words.filter((w) => (w.weight[name] ?? 0) > 0).sort((a, b) => (b.weight[name] ?? 0) - (a.weight[name] ?? 0)).slice(0, most);
          const largest = Math.max(1e-9, ...best.map((w) => w.weight[name] ?? 0));
          return (
            <section key={name}>
              <h3><ClassName name={name} index={i} /></h3>
              <ul class="words">
                {best.map((w) => (
                  <li key={w.word}>
                    <span class="word">{w.word}</span>
                    <span class="track" aria-hidden="true"><span class="bar" style={{ width: `${(100 * (w.weight[name] ?? 0)) / largest}%`, background: classColour(i) }} /></span>
                    <span class="figure-number">{nats(w.weight[name])}</span>
                    <span class="count">{probability(w.probability[name])}</span>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </Figure>
  );
}
