// A picture with its title, a sentence, and the same numbers as a table.
import type { ComponentChildren, JSX } from 'preact';

export interface Numbers {
  head: string[];
  rows: (string | number)[][];
}

interface Props {
  title?: ComponentChildren;
  caption?: ComponentChildren;
  table?: Numbers;
  children: ComponentChildren;
}

export function Figure({ title, caption, table, children }: Props): JSX.Element {
  return (
    <figure class="figure">
      {title && <h3>{title}</h3>}
      {children}
      {caption && <figcaption>{caption}</figcaption>}
      {table && (
        <details class="numbers">
          <summary>as a table</summary>
          <Table {...table} />
        </details>
      )}
    </figure>
  );
}

/** A table whose first column names its rows; the others are numbers, right-aligned, or words. */
export function Table({ head, rows }: Numbers): JSX.Element {
  const words = head.map((_, j) => j > 0 && rows.length > 0 && !/^[−+–\d∞]/.test(String(rows[0]?.[j])));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={head.join(', ')}>
      <table>
        <thead>
          <tr>{head.map((name, j) => <th key={name} scope="col" class={words[j] ? 'words' : undefined}>{name}</th>)}</tr>
        </thead>
        <tbody>
          {rows.slice(0, 400).map((row, i) => (
            <tr key={i}>
              {row.map((cell, j) => (j === 0 ? <th key={j} scope="row">{cell}</th> : <td key={j} class={words[j] ? 'words' : undefined}>{cell}</td>))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
